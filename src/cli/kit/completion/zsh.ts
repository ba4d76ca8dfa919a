import type { CompletedCommand } from "./completion-table.ts";
import { shellTables } from "./shell-tables.ts";

/** For zsh: as a file \`_tillgate\` in fpath, or sourced after compinit. */
export function zshCompletion(commands: readonly CompletedCommand[]): string {
  return `#compdef tillgate
# Completion of tillgate for zsh. To use it now: source <(tillgate completion zsh)
${shellTables(commands)}
_tillgate() {
  local current="\${words[CURRENT]}" command="" word REPLY skip="" arguments
  local -i position=0 index
  if [[ "$current" == --*=* ]]; then
    skip="\${current%%=*}"
  fi
  for (( index = 2; index < CURRENT; index++ )); do
    word="\${words[index]}"
    if [[ -n "$skip" && "$skip" != --* ]]; then skip=""; continue; fi
    if (( position == 0 )); then
      _tillgate_is_command "\${command:+$command }$word"
      if [[ -z "$REPLY" ]]; then _tillgate_next "\${command:+$command }$word"; fi
      if [[ -n "$REPLY" ]]; then command="\${command:+$command }$word"; continue; fi
    fi
    if [[ "$word" == --*=* ]]; then
      continue
    elif [[ "$word" == --* ]]; then
      _tillgate_value "$command" "$word"
      skip="$REPLY"
    else
      position=$(( position + 1 ))
    fi
  done
  if [[ "$skip" == --* ]]; then
    compset -P '*='
    _tillgate_value "$command" "$skip"
  elif [[ -n "$skip" ]]; then
    REPLY="$skip"
  elif [[ "$current" == -* ]]; then
    _tillgate_options "$command"
  else
    _tillgate_argument "$command" "$position"
    arguments="$REPLY"
    REPLY=""
    if (( position == 0 )); then _tillgate_next "$command"; fi
    REPLY="\${REPLY:+$REPLY }$arguments"
  fi
  case "$REPLY" in
    *"<file>"*) _files ;;
    *"<open>"*) ;;
    *) compadd -- \${=REPLY} ;;
  esac
}
if [[ "$funcstack[1]" == "_tillgate" ]]; then _tillgate "$@"; else compdef _tillgate tillgate; fi
`;
}
