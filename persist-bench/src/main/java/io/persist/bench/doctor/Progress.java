package io.persist.bench.doctor;

import io.persist.command.Terminal;
import java.io.PrintStream;
import java.util.function.DoubleConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** How much is measured, as a bar on the standard error stream if that is a terminal. */
final class Progress implements DoubleConsumer, AutoCloseable {

    private static final int WHOLE = 100;
    private static final int UPDATE_MS = 250;

    private final @Nullable ProgressBar bar;

    private Progress(@Nullable ProgressBar bar) {
        this.bar = bar;
    }

    static Progress on(PrintStream err) {
        if (err != System.err || !Terminal.showsErrors()) {
            return new Progress(null);
        }
        return new Progress(new ProgressBarBuilder()
                .setTaskName("measuring")
                .setInitialMax(WHOLE)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(UPDATE_MS)
                .clearDisplayOnFinish()
                .build());
    }

    @Override
    public void accept(double part) {
        if (bar != null) {
            bar.stepTo(Math.round(part * WHOLE));
        }
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
        }
    }
}
