import { useEffect, useState } from "preact/hooks";
import { useDeskWords } from "./words/words.ts";

/** How long a payment still has, counted down by the second. */
export function TimeLeft({ until }: { readonly until: string }) {
  const words = useDeskWords();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.ceil((new Date(until).getTime() - now) / 1_000);
  return (
    <time class="time-left" dateTime={until}>
      {seconds > 0 ? words.timeLeft(clockText(seconds)) : words.timeOver}
    </time>
  );
}

/** `14:05`, or `1:14:05`. */
function clockText(seconds: number): string {
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, "0"))).join(":");
}
