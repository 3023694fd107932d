package io.persist.tool.verb;

import com.beust.jcommander.Parameter;
import com.beust.jcommander.ParametersDelegate;
import io.persist.command.Manual;
import io.persist.command.Terminal;
import io.persist.file.Storage;
import io.persist.log.recovery.AsideFile;
import io.persist.tool.LogTool;
import io.persist.tool.Output;
import io.persist.tool.repair.VerifyTool;
import io.persist.tool.verb.flags.StoreFlags;
import io.persist.tool.verb.flags.ToolArguments;
import java.io.PrintStream;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/** {@code verify LOG...}: clean, live, torn or damaged. */
public final class VerifyCommand extends ToolArguments {

    private static final long PROGRESS_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

    @Parameter(names = "--json", description = "print one line of JSON per log")
    private boolean json;

    @ParametersDelegate
    private final StoreFlags store = new StoreFlags();

    /** At its defaults. */
    public VerifyCommand() {}

    @Override
    public Manual manual() {
        return Manual.of(
                        "verify",
                        "LOG...",
                        "Reads every byte of logs and stores, compares the checksums, and says of each whether it",
                        "is clean, live, torn or damaged. It takes no lock and changes nothing.")
                .example("two logs, for a script", "./orders ./trades --json")
                .exits("a log is damaged, or cannot be read");
    }

    @Override
    protected LogTool tool(PrintStream err) {
        if (store.isGiven()) {
            requireOneLog("--checkpoints");
        }
        Output output = json ? Output.JSON : Output.TEXT;
        if (!Terminal.isPresent()) {
            return new VerifyTool(output, base -> {}, store.place());
        }
        Progress progress = new Progress(err);
        VerifyTool tool = new VerifyTool(output, progress, store.place());
        return new LogTool() {
            @Override
            public int run(Storage log, PrintStream out, PrintStream errors) {
                try {
                    return tool.run(log, out, errors);
                } finally {
                    progress.end();
                }
            }

            @Override
            public int runAside(AsideFile aside, PrintStream out, PrintStream errors) {
                return tool.runAside(aside, out, errors);
            }
        };
    }

    /** How far a check is, on one line that is overwritten every second. */
    private static final class Progress implements LongConsumer {

        private final PrintStream err;
        private long nextNs = System.nanoTime() + PROGRESS_INTERVAL_NS;
        private int width;

        Progress(PrintStream err) {
            this.err = err;
        }

        @Override
        public void accept(long position) {
            if (System.nanoTime() - nextNs >= 0) {
                nextNs = System.nanoTime() + PROGRESS_INTERVAL_NS;
                String line = "checked up to position " + position;
                width = line.length();
                err.print("\r" + line);
                err.flush();
            }
        }

        void end() {
            if (width > 0) {
                err.print("\r" + " ".repeat(width) + "\r");
                err.flush();
                width = 0;
            }
        }
    }
}
