import { useScope } from "../projects.ts";
import { useRouter } from "../router.ts";
import { useAccount } from "../session.ts";
import { withQuery } from "../with-query.ts";
import { useSpeech } from "../words/words.ts";
import { SelectField } from "./fields.tsx";

/** Which merchant: a name where there is one, a choice where the person belongs to several. */
export function MerchantChooser() {
  const { words } = useSpeech();
  const { session, perform, refresh } = useAccount();
  const { go } = useRouter();
  if (session.memberships.length < 2) {
    return <p class="merchant-name">{session.merchant?.name}</p>;
  }
  return (
    <SelectField
      label={words.merchant}
      value={session.merchant?.id ?? ""}
      options={session.memberships.map(({ merchant_id, merchant_name }) => ({
        value: merchant_id,
        name: merchant_name,
      }))}
      onChange={async (merchant_id) => {
        await perform("merchant/choose", { merchant_id });
        go("");
        await refresh();
      }}
    />
  );
}

/** Which project; the choice is in the address, and every list follows it. From one payment it leads to the list. */
export function ProjectChooser({ listPath }: { readonly listPath: string }) {
  const { words } = useSpeech();
  const { projects } = useAccount();
  const { projectId } = useScope();
  const { place, go } = useRouter();
  if (projects.length === 0) return null;
  return (
    <SelectField
      label={words.project}
      value={projectId ?? ""}
      options={[
        { value: "", name: words.allProjects },
        ...projects.map(({ id, name, book }) => ({
          value: id,
          name: book === "test" ? `${name} · ${words.book.test.toUpperCase()}` : name,
        })),
      ]}
      onChange={(project) => {
        const { cursor: _, ...kept } = Object.fromEntries(place.query);
        go(withQuery(listPath, place.path === listPath ? { ...kept, project } : { project }));
      }}
    />
  );
}
