package io.persist.tool.verb.flags;

import io.persist.command.Terminal;
import io.persist.file.Storage;
import io.persist.log.recovery.AsideFile;
import io.persist.tool.LogTool;
import java.io.PrintStream;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongConsumer;

/** How far a tool is, on one line of a terminal that is overwritten every second. */
public final class ProgressLine implements LongConsumer {

    private static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

    private final PrintStream err;
    private final String done;
    private long nextNs = System.nanoTime() + INTERVAL_NS;
    private int width;

    private ProgressLine(PrintStream err, String done) {
        this.err = err;
        this.done = done;
    }

    /**
     * The tool that {@code maker} makes for what it is to tell how far it is, as a position in the log. Nothing is
     * shown where nobody looks on.
     *
     * @param done what the tool does to the log up to that position, such as "checked"
     */
    public static LogTool shown(PrintStream err, String done, Function<LongConsumer, LogTool> maker) {
        if (!Terminal.isPresent()) {
            return maker.apply(position -> {});
        }
        ProgressLine line = new ProgressLine(err, done);
        LogTool tool = maker.apply(line);
        return new LogTool() {
            @Override
            public int run(Storage log, PrintStream out, PrintStream errors) {
                try {
                    return tool.run(log, out, errors);
                } finally {
                    line.end();
                }
            }

            @Override
            public int runAside(AsideFile aside, PrintStream out, PrintStream errors) {
                return tool.runAside(aside, out, errors);
            }

            @Override
            public void finish(PrintStream out) {
                tool.finish(out);
            }
        };
    }

    @Override
    public void accept(long position) {
        if (System.nanoTime() - nextNs >= 0) {
            nextNs = System.nanoTime() + INTERVAL_NS;
            String text = done + " up to position " + position;
            err.print("\r" + text + " ".repeat(Math.max(0, width - text.length())));
            err.flush();
            width = Math.max(width, text.length());
        }
    }

    private void end() {
        if (width > 0) {
            err.print("\r" + " ".repeat(width) + "\r");
            err.flush();
            width = 0;
        }
    }
}
