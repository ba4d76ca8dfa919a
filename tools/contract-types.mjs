// Writes the types and shapes of docs/openapi.yaml into the SDK and the payment page: `node tools/contract-types.mjs`. The files are
// checked in; test/contract/contract-types.test.ts compares them with the document. See docs/decisions/0048.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { shapeText } from "./shape-text.mjs";
import { comment, namedType, nameOf } from "./type-text.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const DOCUMENT = join(ROOT, "docs", "openapi.yaml");

/** The document says of this list that it is closed. Other lists of words in answers may grow. */
const CLOSED_LISTS = ["ErrorCode"];

/** What each file exports. The schemas that these refer to come along without `export`. */
export const OUTPUTS = [
  {
    ...{ file: "sdk/src/contract-requests.ts", isSent: true },
    schemas: [
      ...["P2pPayinRequest", "P2pPayoutRequest", "EcomPayinRequest", "EcomPayoutRequest", "WidgetPayinRequest"],
      ...["General", "Customer", "Sender", "Card", "Browser", "ThreeDsResult"],
      ...["SandboxPaymentsRequest", "SandboxPaymentRequest", "SandboxActRequest", "SandboxFaultRequest"],
      ...["SandboxCallbacksRequest", "SandboxEchoAnswerRequest"],
    ],
  },
  {
    ...{ file: "sdk/src/contract-answers.ts", isSent: false },
    schemas: [
      ...[
        "Payment",
        "Status",
        "SubStatus",
        "DeclineCode",
        "PaymentType",
        "PaymentSums",
        "PaymentCard",
        "Requisites",
        "PayerAttempt",
      ],
      ...["Integration", "ThreeDs", "Callback", "BalanceInfo", "Balance", "Bank", "ErrorCode", "FieldError"],
      ...["SandboxPayment", "SandboxClock", "SandboxFaults", "SandboxCallbacks", "SandboxCallback"],
    ],
  },
  {
    file: "sdk/src/contract-shapes.ts",
    shapes: {
      PAYMENT_SHAPE: "Payment",
      CALLBACK_SHAPE: "Callback",
      BALANCE_INFO_SHAPE: "BalanceInfo",
      BANK_LIST_SHAPE: "BankList",
      FIELD_ERROR_SHAPE: "FieldError",
      SANDBOX_PAYMENT_SHAPE: "SandboxPayment",
      SANDBOX_CLOCK_SHAPE: "SandboxClock",
      SANDBOX_FAULTS_SHAPE: "SandboxFaults",
      SANDBOX_CALLBACKS_SHAPE: "SandboxCallbacks",
    },
  },
  { file: "web/widget/contract.ts", isSent: false, schemas: ["Requisites", "Status", "SubStatus", "DeclineCode"] },
];

const HEAD = "// Written by tools/contract-types.mjs from docs/openapi.yaml: change the document, and run it.\n\n";
const OPEN = `/** The words of this version. Later versions add to them, so any other text is possible too. */
type Open<Known extends string> = Known | (string & {});\n\n`;

/** The text of one file before it is formatted. */
export function contractTypes({ schemas }, { schemas: wanted, isSent }) {
  const pending = [...wanted];
  const written = new Map();
  for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
    if (written.has(name)) continue;
    const context = { schemas, refersTo: new Set(), isOpen: !isSent && !CLOSED_LISTS.includes(name), isSent };
    const { forms, text, description } = namedType(context, name);
    const declare = (type, body) => `${wanted.includes(name) ? "export " : ""}type ${type} = ${body};\n`;
    const declared = [
      ...forms.map((form) => declare(form.title, form.text)),
      `${comment(description)}${declare(nameOf(name), text)}`,
    ];
    written.set(name, declared.join("\n"));
    pending.push(...context.refersTo);
  }
  const body = [...written.values()].join("\n");
  return `${HEAD}${body.includes("Open<") ? OPEN : ""}${body}`;
}

/** The same of a file of tables. */
export function contractShapes({ schemas }, { shapes }) {
  const tables = Object.entries(shapes).map(
    ([name, schema]) => `export const ${name} = ${shapeText(schemas, schemas[schema])} as const satisfies Shape;\n`,
  );
  return `${HEAD}import type { Shape } from "./shape.ts";\n\n${tables.join("\n")}`;
}

/** The text of one file as it is checked in. */
export function contractFile(output) {
  const { file } = output;
  const write = output.shapes === undefined ? contractTypes : contractShapes;
  const text = write(parse(readFileSync(DOCUMENT, "utf8")).components, output);
  const biome = join(ROOT, "node_modules", "@biomejs", "biome", "bin", "biome");
  const args = [biome, "format", `--stdin-file-path=${join(ROOT, file)}`];
  const formatted = spawnSync(process.execPath, args, { cwd: ROOT, input: text, encoding: "utf8" });
  if (formatted.status !== 0) throw new Error(`biome could not format ${file}:\n${formatted.stderr}`);
  return formatted.stdout;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const output of OUTPUTS) writeFileSync(join(ROOT, output.file), contractFile(output));
}
