import { useState } from "preact/hooks";
import { formatShortMoment } from "../../kit/dates.ts";
import { ConfirmDialog } from "../../kit/dialog.tsx";
import { Notice } from "../../kit/notice.tsx";
import { useLoad } from "../load.ts";
import { Badge } from "../parts/badge.tsx";
import { SelectField } from "../parts/fields.tsx";
import { When } from "../parts/figures.tsx";
import { Panel } from "../parts/panel.tsx";
import { Screen } from "../parts/screen.tsx";
import { Shown } from "../parts/states.tsx";
import { mayDo, useAccount } from "../session.ts";
import { ROLES, type Team as TeamOfMerchant, type TeamPerson } from "../wire/people.ts";
import { refusalText, useSpeech } from "../words/words.ts";
import { InvitePerson } from "./invite-person.tsx";

/** Does a change of the team, and shows the team as it is then. */
type ChangeTeam = (path: string, body?: object) => Promise<void>;

export function Team() {
  const { words } = useSpeech();
  const { session, perform, refresh } = useAccount();
  const loaded = useLoad<TeamOfMerchant>("team");
  const [trouble, setTrouble] = useState<string>();
  const [isInviting, setInviting] = useState(false);
  const mayManage = mayDo(session, "team.manage");
  const changeTeam: ChangeTeam = async (path, body) => {
    const answer = await perform(path, body);
    setTrouble(answer.kind === "ok" ? undefined : refusalText(words, answer));
    await loaded.reload();
    await refresh();
  };
  const invite = (
    <button type="button" class="primary" onClick={() => setInviting(true)}>
      {words.team.invite}
    </button>
  );
  return (
    <Screen title={words.team.title} actions={mayManage ? invite : undefined}>
      <Notice text={trouble} />
      <Shown loaded={loaded}>
        {(team) => (
          <>
            <People people={team.people} mayManage={mayManage} changeTeam={changeTeam} />
            {mayManage ? <Invitations team={team} changeTeam={changeTeam} /> : null}
            {mayDo(session, "security.manage") ? <Demand team={team} changeTeam={changeTeam} /> : null}
          </>
        )}
      </Shown>
      {isInviting ? <InvitePerson onClose={() => setInviting(false)} onInvited={loaded.reload} /> : null}
    </Screen>
  );
}

type Parts = { readonly team: TeamOfMerchant; readonly changeTeam: ChangeTeam };

function People(props: {
  readonly people: readonly TeamPerson[];
  readonly mayManage: boolean;
  readonly changeTeam: ChangeTeam;
}) {
  const { words } = useSpeech();
  const [removed, setRemoved] = useState<TeamPerson>();
  return (
    <div class="table-place">
      <table class="list team-list">
        <caption class="unseen">{words.team.people}</caption>
        <thead>
          <tr>
            <th scope="col">{words.team.person}</th>
            <th scope="col">{words.team.role}</th>
            <th scope="col">{words.team.factor}</th>
            <th scope="col">{words.team.lastSeen}</th>
            {props.mayManage ? (
              <th scope="col">
                <span class="unseen">{words.team.remove}</span>
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {props.people.map((person) => (
            <PersonRow key={person.id} {...props} person={person} onRemove={() => setRemoved(person)} />
          ))}
        </tbody>
      </table>
      {removed === undefined ? null : (
        <ConfirmDialog
          {...words.team.removeQuestion(removed.name)}
          offered="no"
          onNo={() => setRemoved(undefined)}
          onYes={async () => {
            setRemoved(undefined);
            await props.changeTeam(`team/${removed.id}/remove`);
          }}
        />
      )}
    </div>
  );
}

function PersonRow(props: {
  readonly person: TeamPerson;
  readonly mayManage: boolean;
  readonly changeTeam: ChangeTeam;
  readonly onRemove: () => void;
}) {
  const { words } = useSpeech();
  const { session } = useAccount();
  const { person } = props;
  const isSelf = person.id === session.person.id;
  return (
    <tr>
      <td class="person">
        <strong>{person.name}</strong> {isSelf ? <Badge tone="plain">{words.team.you}</Badge> : null}
        <span class="small">{person.email}</span>
      </td>
      <td class="role">
        {props.mayManage && !isSelf ? (
          <SelectField
            label={words.team.roleOf(person.name)}
            isLabelHidden
            value={person.role}
            options={ROLES.map((role) => ({ value: role, name: words.roles[role].name }))}
            onChange={(role) => void props.changeTeam(`team/${person.id}/role`, { role })}
          />
        ) : (
          words.roles[person.role].name
        )}
      </td>
      <td class="factor" data-label={words.team.factor}>
        <Badge tone={person.second_factor ? "good" : "plain"}>
          {person.second_factor ? words.team.factorOn : words.team.factorOff}
        </Badge>
      </td>
      <td class="seen" data-label={words.team.lastSeen}>
        {person.seen_at === null ? words.team.never : <When at={person.seen_at} />}
      </td>
      {props.mayManage ? (
        <td class="act">
          {isSelf ? null : (
            <button type="button" class="quiet" aria-label={words.team.removeOf(person.name)} onClick={props.onRemove}>
              {words.team.remove}
            </button>
          )}
        </td>
      ) : null}
    </tr>
  );
}

function Invitations({ team, changeTeam }: Parts) {
  const { language, words } = useSpeech();
  return (
    <Panel title={words.team.invitations}>
      {team.invitations.length === 0 ? <p class="small">{words.team.noInvitations}</p> : null}
      <ul class="rows">
        {team.invitations.map((invitation) => (
          <li key={invitation.id}>
            <div>
              <strong>{invitation.email}</strong> <Badge tone="plain">{words.roles[invitation.role].name}</Badge>
              <p class="small">
                {invitation.expired
                  ? words.team.invitationOver
                  : words.team.invitedBy(invitation.invited_by, formatShortMoment(invitation.expires_at, language))}
              </p>
            </div>
            <button
              type="button"
              class="quiet"
              aria-label={words.team.revokeOf(invitation.email)}
              onClick={() => changeTeam(`team/invitations/${invitation.id}/revoke`)}
            >
              {words.team.revoke}
            </button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Demand({ team, changeTeam }: Parts) {
  const { words } = useSpeech();
  const { totp, passkeys } = useAccount().session.second_factor;
  // A person who demands it of others has it first.
  const mayDemand = team.require_second_factor || totp || passkeys > 0;
  return (
    <Panel title={words.nav.security}>
      <label class="switch">
        <input
          type="checkbox"
          checked={team.require_second_factor}
          disabled={!mayDemand}
          onChange={(event) => {
            const wanted = event.currentTarget.checked;
            // Shown as it is until the server has said yes.
            event.currentTarget.checked = team.require_second_factor;
            void changeTeam("security", { require_second_factor: wanted });
          }}
        />
        <span>
          {words.team.require}
          <span class="small">{mayDemand ? words.team.requireText : words.team.requireOwn}</span>
        </span>
      </label>
    </Panel>
  );
}
