package io.persist.bench;

import com.beust.jcommander.Parameter;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code completion bash|zsh}: a script by which a shell completes commands and flags, made of what they are. */
final class CompletionCommand implements NamedCommand {

    private static final List<String> SHELLS = List.of("bash", "zsh");

    @Parameter(
            names = {"-h", "--help"},
            help = true,
            description = "print this")
    private boolean help;

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
    public CommandLine commandLine() {
        return CommandLine.withOperands(this);
    }

    @Override
    public int run(String[] args, PrintStream out, PrintStream err) {
        try {
            CommandLine commandLine = commandLine();
            commandLine.parse(args);
            if (help) {
                manual().print(commandLine, out);
                return OK;
            }
            List<String> shells = commandLine.operands();
            if (shells.size() != 1 || !SHELLS.contains(shells.get(0))) {
                throw new UsageException("shell " + String.join(" ", shells) + " is none of bash, zsh; name one");
            }
            if (shells.get(0).equals("zsh")) {
                out.println("autoload -U +X bashcompinit && bashcompinit");
            }
            out.print(script());
            return OK;
        } catch (UsageException e) {
            err.println("persist completion: " + NamedCommand.usage(e));
            return USAGE;
        }
    }

    /** The script for bash, which zsh runs too. What is no flag is completed as a file name. */
    static String script() {
        StringBuilder script = new StringBuilder();
        script.append("_persist() {\n");
        script.append("    local word=${COMP_WORDS[COMP_CWORD]} words=\n");
        script.append("    COMPREPLY=()\n");
        script.append("    if [ \"$COMP_CWORD\" -eq 1 ]; then\n");
        script.append("        words=\"")
                .append(String.join(" ", Main.summaries().keySet()))
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
    private static Map<String, String> completions() {
        Map<String, String> all = new LinkedHashMap<>();
        for (NamedCommand program : Main.programs()) {
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
