package io.persist.event;

import io.persist.event.Notices.Found;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * How far the opening of a log or store has come, for the application's logging: so that work, and a wait, can be told
 * from a hang. Nothing is said of what is over soon. The work tells where it is, as often as it likes; this looks at
 * the clock once in a MiB.
 *
 * <p><b>Threads:</b> one. <b>Allocation:</b> none for a record. <b>Errors:</b> those of {@link Notices}.
 */
public final class OpeningProgress {

    /** What an opening does that can take long. */
    public enum Step {
        /** Waiting for the writer before. */
        WAIT(1, 30, "waiting"),
        /** Looking for the end of the log, in files that may have less than they are long. */
        SCAN(2, 10, "scanning the log"),
        /** Keeping what is cut off. */
        COPY(2, 10, "copying what is cut off into a file aside"),
        /** Putting zeros in place of what is cut off. */
        ZERO(2, 10, "zeroing what was cut off"),
        /** Writing again what may not be on the device. */
        REWRITE(2, 10, "writing the last records again"),
        /** Filling the initial length, where that is wanted. */
        PREFILL(2, 10, "filling space ahead"),
        /** Reading the changes behind a checkpoint. */
        REPLAY(2, 10, "replaying the log"),
        /** Bringing these changes into the index. */
        SETTLE(2, 10, "bringing changes into the index");

        private final long firstNs;
        private final long pauseNs;
        private final String what;

        Step(long firstSeconds, long pauseSeconds, String what) {
            this.firstNs = TimeUnit.SECONDS.toNanos(firstSeconds);
            this.pauseNs = TimeUnit.SECONDS.toNanos(pauseSeconds);
            this.what = what;
        }
    }

    /** To read so much takes some hundred microseconds at least, and a look at the clock less than a tenth of one. */
    static final long LOOK_BYTES = 1 << 20;

    private final String opened;
    private final LongSupplier nanoTime;
    private final long startNs;

    private Step step = Step.SCAN;
    private long from;
    private long to;

    /** At this position it looks at the clock again. */
    private long nextLook;

    /** When something is to be said, by {@link #elapsedNs}. */
    private long dueNs;

    private boolean isSaid;

    /** An opening that begins now of {@code opened}: what it is and its directory. */
    public OpeningProgress(String opened) {
        this(opened, System::nanoTime);
    }

    OpeningProgress(String opened, LongSupplier nanoTime) {
        this.opened = opened;
        this.nanoTime = nanoTime;
        this.startNs = nanoTime.getAsLong();
    }

    /** For those who do the same work and open nothing for the application: nothing is said of it. */
    public static OpeningProgress unsaid() {
        return new OpeningProgress("");
    }

    /** How long the opening has taken so far, in ns. */
    public long elapsedNs() {
        return nanoTime.getAsLong() - startNs;
    }

    /** The next step begins: it goes from the position {@code from} to {@code to} at most. */
    public void begin(Step next, long newFrom, long newTo) {
        step = next;
        from = newFrom;
        to = newTo;
        nextLook = newFrom + LOOK_BYTES;
        dueNs = elapsedNs() + next.firstNs;
    }

    /** The step has come to {@code position}. For the loop over all records. */
    public void at(long position) {
        if (position >= nextLook) {
            nextLook = position + LOOK_BYTES;
            look(
                    step,
                    () -> step.what + ", " + ((position - from) >> 20) + " of at most " + ((to - from) >> 20) + " MiB");
        }
    }

    /** In the middle of the step {@code inner} has done so many things; looks at the clock each time. */
    public void within(Step inner, long done, long all) {
        look(inner, () -> inner.what + ", " + done + " of " + all);
    }

    /** The step is a wait, for what {@code what} says if it is asked; looks at the clock each time. */
    public void waits(Supplier<String> what) {
        look(step, () -> step.what + " " + what.get());
    }

    private void look(Step now, Supplier<String> how) {
        long elapsedNs = elapsedNs();
        if (elapsedNs >= dueNs) {
            dueNs = elapsedNs + now.pauseNs;
            say(
                    Level.INFO,
                    () -> "still opening after " + TimeUnit.NANOSECONDS.toSeconds(elapsedNs) + " s: " + how.get());
            isSaid = true;
        }
    }

    /**
     * It is open. If anything was said before, so is this.
     *
     * @param version the library's
     * @param report what recovery did, in one line
     */
    public void opened(Found found, String version, Supplier<String> report) {
        boolean isEndOfSaid = isSaid && found == Found.AS_EXPECTED;
        say(isEndOfSaid ? Level.INFO : found.level(), () -> report.get() + ", by Persist " + version);
    }

    private void say(Level level, Supplier<String> text) {
        if (!opened.isEmpty()) {
            Notices.say(Notices.OPEN, level, () -> opened + ": " + text.get(), null);
        }
    }
}
