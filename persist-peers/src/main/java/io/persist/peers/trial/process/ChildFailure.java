package io.persist.peers.trial.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Why a process has no result, in one line. */
public final class ChildFailure extends Exception {

    private static final long serialVersionUID = 1L;

    private static final int MAX_ERROR_LENGTH = 400;

    /** With these a JVM begins, and has the reason in its next line. */
    private static final List<String> ANNOUNCEMENTS = List.of(
            "Error occurred during initialization of VM",
            "A fatal error has been detected by the Java Runtime Environment:");

    ChildFailure(String message) {
        super(message);
    }

    /** What a process has said that ended with {@code exitCode}: the line of a trial that failed, or its first one. */
    static ChildFailure of(Path errors, int exitCode) throws IOException {
        String text = Files.readString(errors, StandardCharsets.ISO_8859_1);
        String line = text.lines()
                .filter(each -> each.startsWith(ChildMain.FAILURE))
                .map(each -> each.substring(ChildMain.FAILURE.length()))
                .findFirst()
                .or(() -> text.lines()
                        .map(each -> each.replaceFirst("^#", "").strip())
                        .filter(each -> !each.isEmpty() && !ANNOUNCEMENTS.contains(each))
                        .findFirst())
                .map(each -> each.substring(0, Math.min(each.length(), MAX_ERROR_LENGTH)))
                .orElse("it said nothing");
        return new ChildFailure(line + " (exit code " + exitCode + ")");
    }
}
