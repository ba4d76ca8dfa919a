/** What a browser without JavaScript does: it asks for pages, reads their forms, fills them in and sends them. */
export type BrowserPage = {
  readonly url: string;
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
};

export type BrowserForm = {
  readonly action: string;
  readonly hidden: Readonly<Record<string, string>>;
  /** The names of the fields that a person sees. */
  readonly visible: readonly string[];
  readonly buttons: readonly { readonly label: string; readonly name: string; readonly value: string }[];
};

export async function openPage(url: string): Promise<BrowserPage> {
  return pageOf(url, await fetch(url, { redirect: "manual" }));
}

export async function postForm(url: string, fields: Readonly<Record<string, string>>): Promise<BrowserPage> {
  return pageOf(url, await fetch(url, { method: "POST", body: new URLSearchParams(fields), redirect: "manual" }));
}

async function pageOf(url: string, response: Response): Promise<BrowserPage> {
  return { url, status: response.status, text: await response.text(), headers: response.headers };
}

/** The one form of the page. */
export function readForm({ url, text }: BrowserPage): BrowserForm {
  const [form, ...others] = [...text.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)];
  if (form === undefined || others.length > 0) throw new Error(`not a page with one form: ${text}`);
  const [, head = "", body = ""] = form;
  const inputs = [...body.matchAll(/<input([^>]*)>/gs)].map(([, attributes = ""]) => readAttributes(attributes));
  const buttons = [...body.matchAll(/<button([^>]*)>(.*?)<\/button>/gs)].map(([, attributes = "", label = ""]) => {
    const { name = "", value = "" } = readAttributes(attributes);
    return { label, name, value };
  });
  const hidden = inputs.filter(({ type }) => type === "hidden").map(({ name = "", value = "" }) => [name, value]);
  const visible = inputs.filter(({ type }) => type !== "hidden").map(({ name = "" }) => name);
  const action = new URL(readAttributes(head).action ?? "", url).href;
  return { action, hidden: Object.fromEntries(hidden), visible, buttons };
}

/** Fills the fields in and presses the button; without a label the first one, as Enter does. */
export async function submitForm(
  page: BrowserPage,
  filled: Readonly<Record<string, string>>,
  label?: string,
): Promise<BrowserPage> {
  const form = readForm(page);
  const button = label === undefined ? form.buttons[0] : form.buttons.find((each) => each.label === label);
  if (button === undefined) throw new Error(`no button ${label}`);
  const pressed = button.name === "" ? {} : { [button.name]: button.value };
  return postForm(form.action, { ...form.hidden, ...filled, ...pressed });
}

function readAttributes(text: string): Readonly<Record<string, string>> {
  const pairs = [...text.matchAll(/([a-z-]+)="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, plainOf(value)]);
  return Object.fromEntries(pairs);
}

function plainOf(text: string): string {
  const characters: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
  return text.replace(/&([a-z0-9#]+);/g, (_whole, name: string) => characters[name] ?? "");
}
