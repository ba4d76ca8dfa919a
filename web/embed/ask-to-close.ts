import { styled } from "./styled.ts";
import type { wordsOf } from "./words.ts";

const BUTTON = {
  ...{ display: "block", width: "100%", padding: "12px", marginTop: "8px", borderRadius: "10px", cursor: "pointer" },
  ...{
    border: "1px solid GrayText",
    background: "Canvas",
    color: "CanvasText",
    font: "600 16px system-ui, sans-serif",
  },
};

/** A payment that is under way is not closed by one slip of the finger. */
export function askToClose(over: HTMLDialogElement, words: ReturnType<typeof wordsOf>, onYes: () => void): void {
  if (over.querySelector("dialog") !== null) return;
  const dialog = styled("dialog", {
    ...{ width: "min(100vw - 32px, 320px)", padding: "20px", border: "1px solid GrayText", borderRadius: "14px" },
    ...{ background: "Canvas", color: "CanvasText", font: "16px/1.5 system-ui, sans-serif" },
  });
  const question = styled("p", { margin: "0 0 12px" });
  question.textContent = words.question;
  question.id = "tillgate-question";
  dialog.setAttribute("aria-labelledby", question.id);
  const stay = styled("button", BUTTON);
  stay.textContent = words.no;
  const leave = styled("button", BUTTON);
  leave.textContent = words.yes;
  for (const button of [stay, leave]) button.type = "button";
  const end = () => dialog.remove();
  stay.addEventListener("click", end);
  dialog.addEventListener("cancel", (event) => {
    event.stopPropagation();
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
