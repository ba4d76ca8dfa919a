import { useEffect, useState } from "preact/hooks";
import { useRouter } from "./router.ts";
import { read } from "./server.ts";
import { mayDo, useAccount } from "./session.ts";
import type { Session } from "./wire/people.ts";
import type { Book, Project } from "./wire/reports.ts";

/** The projects of the merchant that the person has chosen; undefined until they are known. Read again with the session. */
export function useProjects(session: Session): readonly Project[] | undefined {
  const merchantId = session.merchant?.id;
  const [known, setKnown] = useState<{ readonly of: string | undefined; readonly projects: readonly Project[] }>();
  const mayRead = mayDo(session, "payments.read") && !session.must_set_second_factor;
  useEffect(() => {
    let isGone = false;
    if (merchantId === undefined || !mayRead) return setKnown({ of: merchantId, projects: [] });
    void read<{ readonly projects: readonly Project[] }>("projects").then((answer) => {
      if (!isGone && answer.kind === "ok") setKnown({ of: merchantId, projects: answer.value.projects });
    });
    return () => {
      isGone = true;
    };
  }, [session]);
  return known?.of === merchantId ? known?.projects : undefined;
}

/** What the reader looks at: one project, or all of them; and whether that is test, live or both. */
export function useScope() {
  const { place } = useRouter();
  const { projects } = useAccount();
  const project = projects.find(({ id }) => id === place.query.get("project"));
  const books: ReadonlySet<Book> = new Set((project === undefined ? projects : [project]).map(({ book }) => book));
  const nameOf = (id: string) => projects.find((each) => each.id === id)?.name ?? id;
  return { project, projectId: project?.id ?? place.query.get("project") ?? undefined, books, nameOf };
}
