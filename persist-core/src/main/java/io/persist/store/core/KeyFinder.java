package io.persist.store.core;

import io.persist.index.node.KeyBuffer;
import io.persist.index.read.Location;
import io.persist.index.read.OptimisticLookup;
import io.persist.index.read.OptimisticLookup.Answer;
import io.persist.log.WriteMode;
import io.persist.log.engine.Log;
import io.persist.log.sync.LogLife;
import io.persist.log.sync.LogPositions;
import io.persist.store.state.StoreState;
import io.persist.store.value.MappedSegment;
import io.persist.store.value.MappedSegments;
import io.persist.store.value.ValueReader;

/**
 * Finds out where the values of keys lie, for one thread: without the store's lock, which commits have, or else under
 * it by {@link Lookups}. It takes the lock if a node is not in memory, if the index has not got all of a large
 * transaction or of a removed range, if the value is not in the file yet, if its segment is not mapped yet, if the
 * store is not usable, which it finds out there, and if commits change the same leaf again and again.
 *
 * <p>What it says was so at one moment during the call, as if it had had the lock then: the segment of a value is held
 * before the index is asked once more whether the value is still there.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none.
 */
public final class KeyFinder {

    /** Changes of a leaf take less time than so many looks, and a thread that waits for the lock spins for longer. */
    private static final int ATTEMPTS = 16;

    // What is looked at without the lock has no fields that each commit writes to: their cache line would move.
    private final Lookups underLock;
    private final OptimisticLookup lookup;
    private final StoreState state;
    private final Log log;
    private final LogLife life;
    private final LogPositions positions;
    private final MappedSegments segments;

    /** Whether a value can be read as soon as the index has its place. */
    private final boolean isAtOnceInFile;

    KeyFinder(StoreCore core, Lookups underLock, OptimisticLookup lookup) {
        this.underLock = underLock;
        this.lookup = lookup;
        this.state = core.state();
        this.log = core.log();
        this.positions = core.writer().positions();
        this.life = positions.life();
        this.segments = core.segments();
        this.isAtOnceInFile = !core.isQueued() && core.config().log().writeMode() == WriteMode.MAPPED;
    }

    /** Whether there is {@code key}; if so, {@code found} is where its value lies. */
    public boolean contains(KeyBuffer key, Location found) {
        for (int i = 0; i < ATTEMPTS && mayLook(); i++) {
            Answer answer = lookup.look(key, found);
            if (answer == Answer.OUT_OF_REACH) {
                break;
            }
            if (answer != Answer.CHANGING && isTrue()) {
                return answer == Answer.PRESENT;
            }
            Thread.onSpinWait();
        }
        return underLock.contains(key, found);
    }

    /** Looks up {@code key} and has {@code reader} hold the segment of its value; false if there is none. */
    public boolean find(KeyBuffer key, Location found, ValueReader reader) {
        for (int i = 0; i < ATTEMPTS && mayLook(); i++) {
            Answer answer = lookup.look(key, found);
            if (answer == Answer.OUT_OF_REACH || answer == Answer.PRESENT && !enter(found.position(), reader)) {
                break;
            }
            if (answer != Answer.CHANGING && isTrue()) { // only now: what is held was needed after that
                return answer == Answer.PRESENT;
            }
            Thread.onSpinWait();
        }
        return underLock.find(key, found, reader);
    }

    /** Each commit that has ended, or that a reader of changes has told, is shown or not settled when this is asked. */
    private boolean mayLook() {
        return life.isWritable() && state.isSettled() && !log.isWithin();
    }

    /**
     * Whether what was found is what the store has. A commit may have come since {@link #mayLook} was asked, whose
     * removed range has not gone from the index yet. So it is asked once more whether the index alone says what there
     * is, and only then whether nothing has changed since the look.
     */
    private boolean isTrue() {
        return state.isSettled() && lookup.isTrue();
    }

    /** Holds the segment of a position, which may be nonsense; false if it cannot be read, or not without the lock. */
    private boolean enter(long position, ValueReader reader) {
        if (!isAtOnceInFile && position >= positions.flushed()) {
            return false;
        }
        MappedSegment segment = segments.known(position);
        return segment != null && reader.enter(segment);
    }
}
