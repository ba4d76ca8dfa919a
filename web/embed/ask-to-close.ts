import { styled } from "./styled.ts";
import type { Theme } from "./theme.ts";
import type { wordsOf } from "./words.ts";

/** A payment that is under way is not closed by one slip of the finger. */
export function askToClose(
  over: HTMLDialogElement,
  words: ReturnType<typeof wordsOf>,
  theme: Theme,
  onYes: () => void,
): void {
  if (over.querySelector("dialog") !== null) return;
  const dialog = styled("dialog", {
    ...{ boxSizing: "border-box", width: "min(100vw - 32px, 336px)", padding: "20px", borderRadius: "16px" },
    ...{ border: `1px solid ${theme.edge}`, background: theme.paper, color: theme.text },
    ...{ font: "16px/1.5 system-ui, sans-serif", textAlign: "start", boxShadow: "0 0 0 100vmax rgb(0 0 0 / 40%)" },
  });
  const question = styled("p", { margin: "0 0 12px", color: "inherit", font: "inherit", fontWeight: "600" });
  question.textContent = words.question;
  question.id = "tillgate-question";
  dialog.setAttribute("aria-labelledby", question.id);
  dialog.lang = words.language;
  const stay = buttonOf(words.no, theme);
  const leave = buttonOf(words.yes, theme);
  // Browsers do not give the focus back to a frame by themselves.
  const before = document.activeElement;
  const end = () => {
    dialog.close();
    dialog.remove();
    if (before instanceof HTMLElement) before.focus();
  };
  stay.addEventListener("click", end);
  dialog.addEventListener("cancel", (event) => {
    event.stopPropagation();
    event.preventDefault();
    end();
  });
  leave.addEventListener("click", () => {
    end();
    onYes();
  });
  dialog.append(question, stay, leave);
  over.append(dialog);
  dialog.showModal();
  stay.focus();
}

function buttonOf(text: string, theme: Theme): HTMLButtonElement {
  const button = styled("button", {
    ...{
      boxSizing: "border-box",
      display: "block",
      width: "100%",
      minHeight: "48px",
      margin: "8px 0 0",
      padding: "10px",
    },
    ...{ border: `1px solid ${theme.edge}`, borderRadius: "12px", background: "none", color: "inherit" },
    ...{ font: "600 16px system-ui, sans-serif", cursor: "pointer" },
  });
  button.type = "button";
  button.textContent = text;
  return button;
}
