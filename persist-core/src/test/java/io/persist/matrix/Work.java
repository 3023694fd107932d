package io.persist.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.error.CorruptLogException;
import io.persist.error.UnsupportedFormatException;
import io.persist.file.Storage;
import io.persist.log.Durability;
import io.persist.testkit.CrashScript;
import java.util.Random;

/**
 * Lives of one subject and what is known of them: what was appended, and up to where it was acknowledged. Each life
 * opens what the last one left, checks it, and goes on: appends, commits of every level, and upkeep, all at random.
 *
 * <p>As a script for the crash explorer it knows what was SYNCED; {@link #wasKilled} raises that to what was FLUSHED.
 */
public final class Work implements CrashScript {

    private static final int DEFAULT_STEPS = 60;

    private final Subject subject;
    private final Random random;
    private final int steps;
    private final Entries entries = new Entries();
    private int life;
    private long flushed;
    private long synced;

    /** Work whose draws follow from {@code random}, of some 60 steps a life. */
    public Work(Subject subject, Random random) {
        this(subject, random, DEFAULT_STEPS);
    }

    public Work(Subject subject, Random random, int steps) {
        this.subject = subject;
        this.random = random;
        this.steps = steps;
    }

    public Entries entries() {
        return entries;
    }

    /** The number of the last entry of which a commit or a close has said that no power cut takes it. */
    public long synced() {
        return synced;
    }

    /** The number of the last entry of which a commit has said that it survives the process. */
    public long flushed() {
        return Math.max(flushed, synced);
    }

    /** The process was killed and the machine runs on: what was FLUSHED has to be there, too. */
    public void wasKilled() {
        synced = flushed();
    }

    /** The power was cut: what was only FLUSHED may be gone. */
    public void powerWasCut() {
        flushed = synced;
    }

    /** One life: opens, checks, works, closes. Lets pass whatever fault comes. */
    @Override
    public void run(Storage storage) {
        life++;
        Life open = subject.open(storage);
        try (open) {
            recovered(open);
            for (int i = 0; i < steps; i++) {
                step(open);
            }
        }
        flushed = entries.last();
        synced = entries.last();
    }

    private void step(Life open) {
        switch (random.nextInt(12)) {
            case 0, 1 -> {
                open.commit(Durability.SYNCED);
                synced = entries.last();
            }
            case 2 -> {
                open.commit(Durability.FLUSHED);
                flushed = entries.last();
            }
            case 3 -> open.commit(Durability.BUFFERED);
            case 4 -> {
                if (random.nextInt(4) == 0) {
                    open.upkeep();
                }
            }
            default -> append(open);
        }
    }

    private void append(Life open) {
        long number = entries.add(life); // before it is acknowledged: it may be there although the call fails
        open.append(entries, number);
    }

    /** Looks at what is there; returns the number of its last entry. */
    @Override
    public Object check(Storage storage) {
        try (Life open = subject.open(storage)) {
            return recovered(open);
        } catch (CorruptLogException | UnsupportedFormatException wrong) {
            throw new AssertionError("a log without damage was refused", wrong);
        }
    }

    private long recovered(Life open) {
        long last = open.verify(entries);
        assertThat(last).as("the last entry, %s", open.recovery().describe()).isBetween(synced, entries.last());
        entries.forgetAfter(last);
        flushed = Math.min(flushed, last);
        return last;
    }
}
