import type { CompletedCommand } from "./completion-table.ts";
import { shellTables } from "./shell-tables.ts";

/** For bash 3.2 and newer, without the package bash-completion. `./tillgate` is completed as `tillgate` is. */
export function bashCompletion(commands: readonly CompletedCommand[]): string {
  return `# Completion of tillgate for bash. To use it now: source <(tillgate completion bash)
${shellTables(commands)}
_tillgate() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local command="" word REPLY position=0 skip="" index
  COMPREPLY=()
  # bash splits --option=value into three words.
  if [[ "$current" == "=" ]]; then current=""
  elif [[ "$previous" == "=" ]]; then previous="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  for (( index = 1; index < COMP_CWORD; index++ )); do
    word="\${COMP_WORDS[index]}"
    if [[ -n "$skip" ]]; then
      if [[ "$word" != "=" ]]; then skip=""; fi
      continue
    fi
    if [[ $position -eq 0 ]]; then
      _tillgate_is_command "\${command:+$command }$word"
      if [[ -z "$REPLY" ]]; then _tillgate_next "\${command:+$command }$word"; fi
      if [[ -n "$REPLY" ]]; then command="\${command:+$command }$word"; continue; fi
    fi
    if [[ "$word" == --* ]]; then
      _tillgate_value "$command" "$word"
      skip="$REPLY"
    else
      position=$(( position + 1 ))
    fi
  done
  if [[ -n "$skip" ]]; then
    REPLY="$skip"
  elif [[ "$current" == -* ]]; then
    _tillgate_options "$command"
  else
    _tillgate_argument "$command" "$position"
    local arguments="$REPLY"
    REPLY=""
    if [[ $position -eq 0 ]]; then _tillgate_next "$command"; fi
    REPLY="\${REPLY:+$REPLY }$arguments"
  fi
  case "$REPLY" in
    *"<file>"*)
      local IFS=$'\\n'
      COMPREPLY=( $(compgen -f -- "$current") )
      compopt -o filenames 2>/dev/null
      ;;
    *"<open>"*) ;;
    *) COMPREPLY=( $(compgen -W "$REPLY" -- "$current") ) ;;
  esac
}
complete -F _tillgate tillgate
`;
}
