package io.persist.bench.report;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** What went wrong, in a few words. */
final class Failures {

    private Failures() {}

    /** The message of many file exceptions is but the file's name. */
    static String reason(IOException failure) {
        if (failure instanceof NoSuchFileException) {
            return "no such file or directory";
        }
        if (failure instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (failure instanceof FileSystemException e && e.getReason() != null) {
            return e.getReason();
        }
        return String.valueOf(failure.getMessage()).replaceAll("\\s*[\\r\\n]+\\s*", " ");
    }
}
