import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Screen } from "../../parts/screen.tsx";
import { Loading, Trouble } from "../../parts/states.tsx";
import { useSpeech } from "../../words/words.ts";

/** The desk is a script of its own: most people of a merchant never open it. */
export function SandboxScreen() {
  const { words } = useSpeech();
  const [Desk, setDesk] = useState<{ readonly Drawn: FunctionComponent } | "silent">();
  const load = async () => {
    try {
      const { Sandbox } = await import("./sandbox.tsx");
      setDesk({ Drawn: Sandbox });
    } catch {
      setDesk("silent");
    }
  };
  useEffect(() => {
    void load();
  }, []);
  return (
    <Screen title={words.nav.sandbox}>
      {Desk === undefined ? (
        <Loading />
      ) : Desk === "silent" ? (
        <Trouble refusal={{ kind: "silence" }} onAgain={load} />
      ) : (
        <Desk.Drawn />
      )}
    </Screen>
  );
}
