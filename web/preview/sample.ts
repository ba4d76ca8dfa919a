import type { PreviewLook } from "../kit/preview-look.ts";
import type { View } from "../widget/view.ts";

/** An order that does not exist, at the step that shows most of a shop's look. */
export function sampleView({ name, logo, support, isTest, language }: PreviewLook): View {
  return {
    step: "choose",
    actions: ["choose", "cancel"],
    order: "1024",
    amount: 250_000,
    currency: "RUB",
    decimals: 2,
    status: "processing",
    sub_status: "new",
    decline_code: null,
    shop: {
      name,
      logo: logo !== null,
      support: Object.fromEntries(Object.entries(support).filter(([, text]) => text)),
    },
    ...(isTest ? { test: true } : {}),
    language,
    server_time: new Date().toISOString(),
    until: null,
    methods: [
      { code: "payin-p2p-sbp", card: false },
      { code: "payin-p2p-card", card: false },
      { code: "payin-ecom-card", card: true },
    ],
    frame_origins: [],
  };
}
