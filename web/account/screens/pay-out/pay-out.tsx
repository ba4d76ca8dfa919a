import { useState } from "preact/hooks";
import { useLoad } from "../../load.ts";
import { SelectField } from "../../parts/fields.tsx";
import { ICONS } from "../../parts/icons.ts";
import { Panel } from "../../parts/panel.tsx";
import { Screen } from "../../parts/screen.tsx";
import { EmptyState, Shown } from "../../parts/states.tsx";
import { useScope } from "../../projects.ts";
import { useRouter } from "../../router.ts";
import { useAccount } from "../../session.ts";
import type { PayoutOptions } from "../../wire/pay-out.ts";
import type { Project } from "../../wire/reports.ts";
import { withQuery } from "../../with-query.ts";
import { useSpeech } from "../../words/words.ts";
import { ApprovalLimitsPanel } from "./approval-limits.tsx";
import { BatchList } from "./batch-list.tsx";
import { PayoutFile } from "./payout-file.tsx";
import { PayoutForm } from "./payout-form.tsx";

/** Payouts by hand: one by a form or many by a file, and what was made so before. */
export function PayOut() {
  const { words } = useSpeech();
  return (
    <Screen title={words.payOut.title}>
      <NewPayouts />
      <BatchList />
      <ApprovalLimitsPanel />
    </Screen>
  );
}

const WAYS = ["one", "many"] as const;

function NewPayouts() {
  const { words } = useSpeech();
  const { place, go } = useRouter();
  const query = Object.fromEntries(place.query);
  const way = query.way === "many" ? "many" : "one";
  const tabs = (
    <fieldset class="tabs">
      <legend class="unseen">{words.payOut.ways}</legend>
      {WAYS.map((each) => (
        <label key={each}>
          <input
            type="radio"
            name="way"
            checked={each === way}
            onChange={() => go(withQuery("pay-out", { ...query, way: each }), "replace")}
          />
          <span>{words.payOut[each]}</span>
        </label>
      ))}
    </fieldset>
  );
  const { project, choose } = useProjectToPay();
  return (
    <Panel title={words.payOut.fresh} aside={tabs} look="pay-panel">
      {choose}
      {project === undefined ? null : way === "one" ? (
        <OneOf key={project.id} project={project} />
      ) : (
        <PayoutFile key={project.id} project={project} />
      )}
    </Panel>
  );
}

/** The project that pays: the one that is looked at, or one that the person names. */
function useProjectToPay() {
  const { words } = useSpeech();
  const { projects } = useAccount();
  const scope = useScope();
  const [chosen, setChosen] = useState("");
  const only = projects.length === 1 ? projects[0] : undefined;
  const known = scope.project ?? only;
  const project: Project | undefined = known ?? projects.find(({ id }) => id === chosen);
  const choose =
    known !== undefined || projects.length === 0 ? null : (
      <div class="narrow">
        <SelectField
          label={words.payOut.project}
          value={chosen}
          options={[
            { value: "", name: words.payOut.chooseProject },
            ...projects.map(({ id, name, book }) => ({
              value: id,
              name: book === "test" ? `${name} · ${words.book.test.toUpperCase()}` : name,
            })),
          ]}
          onChange={setChosen}
        />
      </div>
    );
  return { project, choose };
}

function OneOf({ project }: { readonly project: Project }) {
  const { words } = useSpeech();
  const loaded = useLoad<PayoutOptions>(withQuery("payout-options", { project: project.id }));
  return (
    <Shown loaded={loaded}>
      {(options) =>
        options.methods.length === 0 ? (
          <EmptyState icon={ICONS.payOut} title={words.payOut.noMethods} text={words.payOut.noMethodsText} />
        ) : (
          <PayoutForm project={project} options={options} />
        )
      }
    </Shown>
  );
}
