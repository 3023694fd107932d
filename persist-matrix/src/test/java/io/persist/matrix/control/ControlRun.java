package io.persist.matrix.control;

import io.persist.support.ChildJvm;
import io.persist.support.ScratchDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A JVM that runs one {@link Control}, and may die of it. */
final class ControlRun {

    private ControlRun() {}

    /** Runs the control whose {@link Control#broken} is the argument. */
    public static void main(String[] arguments) {
        Controls.all().stream()
                .filter(control -> control.broken().equals(arguments[0]))
                .findFirst()
                .orElseThrow()
                .runHere();
    }

    /** Throws an AssertionError if the control's exercise has found nothing out and the JVM has not died of it. */
    static void runApart(Control control) throws IOException, InterruptedException {
        try (ScratchDirectory scratch = ScratchDirectory.create()) {
            Path errors = scratch.path().resolve("errors");
            Path died = scratch.path().resolve("died");
            List<String> command = ChildJvm.briefly(ControlRun.class, control.broken());
            command.addAll(1, List.of("-XX:ErrorFile=" + died, "-XX:-CreateCoredumpOnCrash"));
            Long seed = Long.getLong("seed");
            if (seed != null) {
                command.add(1, "-Dseed=" + seed);
            }
            try (ChildJvm child = ChildJvm.runWithErrors(errors, command)) {
                StringBuilder said = new StringBuilder();
                for (String line = child.hear(); line != null; line = child.hear()) {
                    said.append(line).append('\n');
                }
                // The exit code of a JVM that died is the one of an uncaught exception, if it leaves no core.
                if (child.awaitEnd() != 0 && Files.notExists(died)) {
                    throw new AssertionError(said + Files.readString(errors));
                }
            }
        }
    }
}
