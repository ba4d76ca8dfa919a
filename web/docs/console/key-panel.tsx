import { useState } from "preact/hooks";
import { AreaEntry, Radios, TextEntry } from "./fields.tsx";
import { type LoadedKey, setKey, useKey } from "./key-store.ts";
import { EMPTY_FORM, isLoaded, type KeyForm, readForm, readKeyFile, readSandboxFile } from "./read-key.ts";
import { basePath, send } from "./service.ts";
import { canSign, type Read } from "./signing/keys.ts";

const CREDENTIALS = "/sandbox/desk/credentials";
const KINDS = [
  { value: "rsa", name: "RSA private key" },
  { value: "hmac", name: "HMAC secret" },
] as const;

/** The key that every call on this page is signed with. */
export function KeyPanel() {
  const key = useKey();
  if (!canSign()) {
    return (
      <p class="key-panel is-bad" role="alert">
        This browser signs on pages that came over HTTPS or from this machine, and on no others. Open this page at such
        an address.
      </p>
    );
  }
  return key === undefined ? <KeyEntry /> : <KeyInUse shown={key} />;
}

function KeyInUse({ shown }: { readonly shown: LoadedKey }) {
  const { merchantId, projectId, rsa, hmac } = shown;
  return (
    <div class="key-panel is-in-use">
      <p role="status">
        Signing for project <code>{projectId}</code> of merchant <code>{merchantId}</code> with{" "}
        {[rsa === undefined ? [] : "RSA", hmac === undefined ? [] : "HMAC"].flat().join(" or ")}
        {hmac === undefined ? null : (
          <>
            {" "}
            (<code>{hmac.token}</code>)
          </>
        )}
        .
      </p>
      <button type="button" class="quiet-button" onClick={() => setKey(undefined)}>
        Forget the key
      </button>
    </div>
  );
}

function KeyEntry() {
  const [form, setForm] = useState<KeyForm>(EMPTY_FORM);
  const [trouble, setTrouble] = useState<string>();
  const change = (changes: Partial<KeyForm>) => setForm((old) => ({ ...old, ...changes }));
  const take = (read: Read<LoadedKey>) => {
    if ("fault" in read) setTrouble(read.fault);
    else setKey(read.value);
  };
  return (
    <div class="key-panel">
      <p>
        <strong>A test key signs the call, here in your browser.</strong> The key stays in the memory of this page: it
        is not sent, not stored, and gone when you reload.
      </p>
      <p class="key-ways">
        <button type="button" class="main-button" onClick={async () => take(await loadSandboxKey())}>
          Load the sandbox key
        </button>
        <span class="entry-hint">on a development server</span>
      </p>
      <details class="own-key">
        <summary>Use a key of your own</summary>
        <form
          onSubmit={async (event) => {
            event.preventDefault();
            take(await readForm(form));
          }}
        >
          <FileEntry onForm={change} onRead={take} />
          <div class="entries">
            <TextEntry label="Merchant id" value={form.merchantId} onInput={(merchantId) => change({ merchantId })} />
            <TextEntry label="Project id" value={form.projectId} onInput={(projectId) => change({ projectId })} />
          </div>
          <Radios label="Kind of key" value={form.kind} choices={KINDS} onChange={(kind) => change({ kind })} />
          <KeyOfKind form={form} onChange={change} />
          <button type="submit" class="main-button">
            Use this key
          </button>
        </form>
      </details>
      <div role="alert">{trouble === undefined ? null : <p class="entry-mistake">{trouble}</p>}</div>
    </div>
  );
}

type FormProps = { readonly form: KeyForm; readonly onChange: (changes: Partial<KeyForm>) => void };

function KeyOfKind({ form, onChange }: FormProps) {
  if (form.kind === "rsa") {
    return (
      <AreaEntry
        label="Private key"
        rows={4}
        value={form.pem}
        placeholder="-----BEGIN PRIVATE KEY-----"
        hint="PEM, PKCS#8 or PKCS#1. Never paste a key of a live project into a page."
        onInput={(pem) => onChange({ pem })}
      />
    );
  }
  return (
    <div class="entries">
      <TextEntry label="Key id" value={form.keyId} placeholder="ak_…" onInput={(keyId) => onChange({ keyId })} />
      <TextEntry
        label="Secret"
        isSecret
        value={form.secret}
        placeholder="sk_…"
        onInput={(secret) => onChange({ secret })}
      />
    </div>
  );
}

type FileProps = {
  readonly onForm: (changes: Partial<KeyForm>) => void;
  readonly onRead: (read: Read<LoadedKey>) => void;
};

/** The account makes key pairs in the browser and lets the person download the private half: no server has it. */
function FileEntry({ onForm, onRead }: FileProps) {
  return (
    <div class="entry">
      <label>
        A file with the key
        <input
          type="file"
          accept=".json,.pem,.key,.txt,application/json"
          onChange={async (event) => {
            const [file] = event.currentTarget.files ?? [];
            if (file === undefined) return;
            const read = await readKeyFile(await file.text());
            if ("fault" in read) onRead(read);
            else if (isLoaded(read.value)) onRead({ value: read.value });
            else onForm(read.value);
          }}
        />
      </label>
      <p class="entry-hint">
        A sandbox.json, or the private key that you downloaded when you{" "}
        <a href={`${basePath()}/account/keys`}>made a test key in your account</a>. The service has only the public
        half, so it cannot show the key again.
      </p>
    </div>
  );
}

const NO_SANDBOX_KEY =
  "This server does not hand out a sandbox key: it is not a development server. Use a test key of your own.";

async function loadSandboxKey(): Promise<Read<LoadedKey>> {
  try {
    const answer = await send("GET", CREDENTIALS);
    return answer.status === 200 ? readSandboxFile(JSON.parse(answer.text)) : { fault: NO_SANDBOX_KEY };
  } catch {
    return { fault: "The server does not answer." };
  }
}
