package io.persist.peers.trial.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Why a process has no result, in one line. */
public final class ChildFailure extends Exception {

    private static final long serialVersionUID = 1L;

    private static final int MAX_ERROR_LENGTH = 400;

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
                .or(() -> text.lines().filter(each -> !each.isBlank()).findFirst())
                .map(each -> each.substring(0, Math.min(each.length(), MAX_ERROR_LENGTH)))
                .orElse("it said nothing");
        return new ChildFailure(line + " (exit code " + exitCode + ")");
    }
}
