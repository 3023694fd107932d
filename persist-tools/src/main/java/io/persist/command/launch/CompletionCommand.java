package io.persist.command.launch;

import io.persist.command.Manual;
import io.persist.command.NamedCommand;
import io.persist.command.UsageException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code completion bash|zsh}: a script by which a shell completes commands and flags, made of what they are. */
final class CompletionCommand extends TextCommand {

    private static final List<String> SHELLS = List.of("bash", "zsh");

    private final Commands commands;

    CompletionCommand(Commands commands) {
        this.commands = commands;
    }

    @Override
    public Manual manual() {
        return Manual.of(
                        "completion",
                        "SHELL",
                        "Prints a script by which bash or zsh completes the commands and flags of bin/persist.")
                .example("in this shell", "bash > persist.bash && source persist.bash")
                .exits("it cannot be printed");
    }

    @Override
    protected String text(List<String> shells) {
        if (shells.isEmpty()) {
            throw new UsageException("no shell is given; name one of " + String.join(", ", SHELLS));
        }
        if (shells.size() != 1 || !SHELLS.contains(shells.get(0))) {
            throw new UsageException("shell " + String.join(" ", shells) + " is none of bash, zsh; name one");
        }
        String begin = shells.get(0).equals("zsh") ? "autoload -U +X bashcompinit && bashcompinit\n" : "";
        return begin + script();
    }

    /** The script for bash, which zsh runs too. What is no flag is completed as a file name. */
    private String script() {
        StringBuilder script = new StringBuilder();
        script.append("_persist() {\n");
        script.append("    local word=${COMP_WORDS[COMP_CWORD]} words=\n");
        script.append("    COMPREPLY=()\n");
        script.append("    if [ \"$COMP_CWORD\" -eq 1 ]; then\n");
        script.append("        words=\"")
                .append(String.join(" ", commands.summaries().keySet()))
                .append(" help --version\"\n");
        script.append("    else\n");
        script.append("        case \"${COMP_WORDS[1]}\" in\n");
        completions()
                .forEach((name, words) -> script.append("            ")
                        .append(name)
                        .append(") words=\"")
                        .append(words)
                        .append("\" ;;\n"));
        script.append("        esac\n");
        script.append("        [[ $word == -* || $words != -* ]] || words=\n");
        script.append("    fi\n");
        script.append("    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n");
        script.append("}\n");
        script.append("complete -o default -F _persist persist bin/persist\n");
        return script.toString();
    }

    /** Of each command the words that can follow: its parts, and the flags of all of them. */
    private Map<String, String> completions() {
        Map<String, String> all = new LinkedHashMap<>();
        for (NamedCommand program : commands.programs()) {
            Stream<String> parts =
                    program.parts().stream().map(part -> part.manual().name().replaceFirst(".* ", ""));
            Stream<String> flags = Stream.concat(Stream.of(program), program.parts().stream())
                    .flatMap(each -> each.commandLine().flags().stream())
                    .flatMap(flag -> flag.names().stream())
                    .filter(name -> name.startsWith("--"))
                    .distinct();
            all.put(program.manual().name(), Stream.concat(parts, flags).collect(Collectors.joining(" ")));
        }
        return all;
    }
}
