package io.persist.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.error.CorruptLogException;
import io.persist.error.LogFullException;
import io.persist.error.UnsupportedFormatException;
import io.persist.file.Storage;
import io.persist.log.Durability;
import io.persist.testkit.CrashScript;
import java.util.Random;

/**
 * Lives of one subject and what is known of them: what was appended, and up to where it was acknowledged. Each life
 * opens what the last one left, checks it, and goes on: appends, commits of every level, ends of segments, and upkeep,
 * all at random.
 *
 * <p>As a script for the crash explorer it knows what was SYNCED; after {@link #wasKilled} what was FLUSHED has to be
 * there, too.
 */
public final class Work implements CrashScript {

    /** Hears at once of what happens in a life. */
    public interface Witness {

        /** {@code life} has opened what there was, and checked it: entry {@code last} is the last one. */
        default void opened(int life, long last) {}

        /** All entries up to {@code last} are safe at {@code level}. */
        default void acknowledged(Durability level, long last) {}

        /** There is no space for something; the life goes on if this returns, else it ends. */
        default void full(LogFullException full) {
            throw full;
        }
    }

    private static final int DEFAULT_STEPS = 60;

    private final Subject subject;
    private final Random random;
    private final int steps;
    private Entries entries = new Entries();
    private Witness witness = new Witness() {};
    private int life;
    private int commits;
    private long flushed;
    private long synced;
    private boolean wasKilled;
    private int segmentLength = Subject.SEGMENT_LENGTH;

    /** Work whose draws follow from {@code random}, of some 60 steps a life. */
    public Work(Subject subject, Random random) {
        this(subject, random, DEFAULT_STEPS);
    }

    public Work(Subject subject, Random random, int steps) {
        this.subject = subject;
        this.random = random;
        this.steps = steps;
    }

    /** Goes on after {@code lastLife}, with which there were these entries, none of them more or less. */
    public Work after(int lastLife, Entries known) {
        life = lastLife;
        entries = known;
        synced = known.last();
        return this;
    }

    /** From now on new segments have this length. */
    public Work withSegments(int length) {
        segmentLength = length;
        return this;
    }

    /** Tells {@code one} what happens. */
    public Work watchedBy(Witness one) {
        witness = one;
        return this;
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
        wasKilled = true;
    }

    /** The power was cut: what was only FLUSHED may be gone. */
    public void powerWasCut() {
        wasKilled = false;
        flushed = synced;
    }

    /** One life: opens, checks, works, closes. Lets pass whatever fault comes. */
    @Override
    public void run(Storage storage) {
        life++;
        Life open = subject.open(storage, segmentLength);
        try (open) {
            witness.opened(life, recovered(open));
            wasKilled = false; // from now on the power may go, and take what was not synced
            for (int i = 0; i < steps; i++) {
                try {
                    step(open);
                } catch (LogFullException full) {
                    witness.full(full);
                }
            }
        }
        acknowledged(Durability.SYNCED);
    }

    private void step(Life open) {
        switch (random.nextInt(12)) {
            case 0, 1 -> commit(open, Durability.SYNCED);
            case 2 -> commit(open, Durability.FLUSHED);
            case 3 -> commit(open, Durability.BUFFERED);
            case 4 -> {
                switch (random.nextInt(4)) {
                    case 0 -> open.upkeep(entries);
                    case 1 -> open.roll();
                    default -> {}
                }
            }
            default -> append(open);
        }
    }

    private void commit(Life open, Durability level) {
        if (++commits % 3 == 0) {
            open.commitInTime(level);
        } else {
            open.commit(level);
        }
        acknowledged(level);
    }

    private void acknowledged(Durability level) {
        long last = entries.last();
        if (level == Durability.SYNCED) {
            synced = last;
        } else if (level == Durability.FLUSHED) {
            flushed = last;
        }
        witness.acknowledged(level, last);
    }

    private void append(Life open) {
        long number = entries.add(life); // before it is acknowledged: it may be there although the call fails
        try {
            open.append(entries, number);
        } catch (LogFullException refused) {
            entries.forgetAfter(number - 1); // but not after this: it was not accepted
            throw refused;
        }
    }

    /** Looks at what is there; returns the number of its last entry. */
    @Override
    public Object check(Storage storage) {
        try (Life open = subject.open(storage, segmentLength)) {
            return recovered(open);
        } catch (CorruptLogException | UnsupportedFormatException wrong) {
            throw new AssertionError("a log without damage was refused", wrong);
        }
    }

    private long recovered(Life open) {
        long last = open.verify(entries);
        assertThat(last)
                .as("the last entry, %s", open.recovery().describe())
                .isBetween(wasKilled ? flushed() : synced, entries.last());
        entries.forgetAfter(last);
        flushed = wasKilled ? last : Math.min(flushed, last);
        return last;
    }
}
