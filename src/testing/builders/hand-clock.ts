/** A clock that a test moves by hand. */
export function aHandClock() {
  let nowMs = 1_000_000;
  return {
    nowMs: () => nowMs,
    wallMs: () => Date.UTC(2026, 0, 1) + nowMs,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}
