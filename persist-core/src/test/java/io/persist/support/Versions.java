package io.persist.support;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Which versions things have that some threads change and others read meanwhile, each thing by one thread at a time. A
 * version that is a multiple of {@value #REMOVAL} takes the thing away; so a reader that finds nothing knows which
 * versions that can be. A thing begins with version 0.
 */
public final class Versions {

    private static final int REMOVAL = 7;

    /** The version that the thread which changes it has begun to write; then the one that is written. */
    private final AtomicLongArray begun;

    private final AtomicLongArray done;

    public Versions(int things) {
        begun = new AtomicLongArray(things);
        done = new AtomicLongArray(things);
    }

    public static boolean isRemoval(long version) {
        return version % REMOVAL == 0;
    }

    private static long nextRemoval(long version) {
        return (version + REMOVAL - 1) / REMOVAL * REMOVAL;
    }

    /** The next version, which the calling thread is going to write. */
    public long begin(int thing) {
        long version = done.get(thing) + 1;
        begun.set(thing, version);
        return version;
    }

    /** The next version that takes the thing away. */
    public long beginRemoval(int thing) {
        long version = nextRemoval(done.get(thing) + 1);
        begun.set(thing, version);
        return version;
    }

    /** The version that was begun is written. */
    public void end(int thing) {
        done.set(thing, begun.get(thing));
    }

    /** The version that is written. */
    public long now(int thing) {
        return done.get(thing);
    }

    /** What one thread has seen. */
    public final class Reader {

        private final long[] seen = new long[begun.length()];

        /** The oldest version that a read may find that begins now. */
        public long floor(int thing) {
            return Math.max(done.get(thing), seen[thing]);
        }

        /**
         * A read has found this version, and nothing if it is negative.
         *
         * @param floor what {@link #floor} said when the read began
         */
        public void sees(int thing, long floor, long version) {
            long found = version < 0 ? nextRemoval(floor) : version;
            long newest = begun.get(thing);
            if (found < floor || found > newest || isRemoval(found) != version < 0) {
                throw new AssertionError("of " + thing + " version " + version + " was found, and not one from " + floor
                        + " to " + newest);
            }
            seen[thing] = found;
        }
    }
}
