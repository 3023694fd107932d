package io.persist.testkit;

/** A script has not kept what it must. The message says where, why, and how to see it again. */
public final class CrashFailure extends AssertionError {

    private static final long serialVersionUID = 1L;

    private final String crash;
    private final long seed;

    CrashFailure(String message, String crash, long seed, Throwable cause) {
        super(message + "; repeat it with -Dcrash=" + crash + " -Dseed=" + seed, cause);
        this.crash = crash;
        this.seed = seed;
    }

    /** Where it failed: a point as {@link CrashPoint#parse} takes it, or {@link CrashExplorer#LIVES} and its losses. */
    public String crash() {
        return crash;
    }

    /** The seed with which it failed. */
    public long seed() {
        return seed;
    }
}
