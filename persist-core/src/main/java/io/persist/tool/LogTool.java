package io.persist.tool;

import io.persist.file.Storage;
import java.io.PrintStream;

/** Does something with one log and tells about it. */
@FunctionalInterface
public interface LogTool {

    /**
     * Runs once.
     *
     * @param log where the log is
     * @param out what was asked for
     * @param err what else people should know
     * @return one of {@link ExitCode}
     */
    int run(Storage log, PrintStream out, PrintStream err);
}
