import { Frame, type Site } from "./frame.tsx";
import type { Rendered } from "./markdown.ts";
import { Markup } from "./text.tsx";

type Props = { readonly site: Site; readonly page: string; readonly rendered: Rendered };

export function GuidePage({ site, page, rendered }: Props) {
  const [title, ...rest] = rendered.headings;
  const headings = rest.filter(({ level }) => level <= 3);
  const words = title?.text ?? page;
  const isCheck = page === "check-signature";
  return (
    <Frame
      {...{ site, page, headings, title: words, description: `${words}: a guide to Tillgate.`, hasOperations: isCheck }}
    >
      <Markup as="article" look="text" html={rendered.html} />
      {isCheck && <div data-check-signature></div>}
    </Frame>
  );
}
