package io.persist.tool;

import io.persist.file.Storage;
import io.persist.log.recovery.AsideFile;
import io.persist.tool.text.Descriptions;
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

    /** The same on what recovery or repair took out of a log, which most tools refuse: to them it says too little. */
    default int runAside(AsideFile aside, PrintStream out, PrintStream err) {
        err.println("persist: " + Descriptions.name(aside.storage()) + ": was set aside and is no log; dump and verify"
                + " read it, and salvage makes a log of it that every command reads");
        return ExitCode.FAILURE;
    }

    /** Prints what is told of all logs together; called once, after the last of them. */
    default void finish(PrintStream out) {}
}
