const TOLD_MS = 2_000;

/** A button on every block of code. Where there is no clipboard it selects the text, for the reader to copy. */
export function mountCopyButtons(): void {
  for (const block of document.querySelectorAll<HTMLElement>(".code")) {
    const code = block.querySelector("code");
    if (code === null) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", () => copy(code, button));
    block.append(button);
  }
}

async function copy(code: HTMLElement, button: HTMLButtonElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(code.textContent ?? "");
    button.textContent = "Copied";
  } catch {
    getSelection()?.selectAllChildren(code);
    button.textContent = "Selected";
  }
  setTimeout(() => {
    button.textContent = "Copy";
  }, TOLD_MS);
}
