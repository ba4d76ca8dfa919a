/** An answer that a test holds back until it lets it go; it can be waited for until somebody asks for it. */
export type HeldBack<T> = {
  /** Give this to whoever asks. */
  readonly answer: () => Promise<T>;
  readonly asked: Promise<void>;
  readonly letGo: (value: T) => void;
};

export function heldBack<T>(): HeldBack<T> {
  let noteAsked = (): void => undefined;
  let letGo = (_value: T): void => undefined;
  const asked = new Promise<void>((resolve) => {
    noteAsked = resolve;
  });
  const answered = new Promise<T>((resolve) => {
    letGo = resolve;
  });
  return {
    answer: () => {
      noteAsked();
      return answered;
    },
    asked,
    letGo,
  };
}
