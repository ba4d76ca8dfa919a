import { useEffect, useRef, useState } from "preact/hooks";
import { type Answer, type Refusal, read } from "./server.ts";
import { useAccount } from "./session.ts";

export type Loaded<Value> = {
  readonly value: Value | undefined;
  readonly trouble: Refusal | undefined;
  readonly isLoading: boolean;
  readonly reload: () => Promise<void>;
};

/** What the server says at a path. While the next answer is awaited, the last one stays, so that nothing jumps. */
export function useLoad<Value>(path: string | undefined): Loaded<Value> {
  const { onSignedOut } = useAccount();
  const [answer, setAnswer] = useState<Answer<Value>>();
  const [isLoading, setLoading] = useState(path !== undefined);
  const asked = useRef(0);
  const reload = async () => {
    if (path === undefined) return;
    asked.current += 1;
    const number = asked.current;
    setLoading(true);
    const next = await read<Value>(path);
    // An answer to an older question is not shown.
    if (number !== asked.current) return;
    setLoading(false);
    if (next.kind === "refused" && next.code === "not_signed_in") onSignedOut();
    else setAnswer(next);
  };
  useEffect(() => {
    void reload();
  }, [path]);
  return {
    value: answer?.kind === "ok" ? answer.value : undefined,
    trouble: answer === undefined || answer.kind === "ok" ? undefined : answer,
    isLoading,
    reload,
  };
}
