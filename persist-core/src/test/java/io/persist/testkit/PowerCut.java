package io.persist.testkit;

/**
 * The machine is off. An Error, so that no handler of exceptions goes on as if nothing had happened.
 *
 * <p>Every operation of a {@link CrashableStorage} that is off throws one. The loggers' own threads turn it into the
 * cause of a {@link io.persist.error.LogIOException}.
 */
public final class PowerCut extends Error {

    private static final long serialVersionUID = 1L;

    /** {@code message} says during which operation the power went. */
    public PowerCut(String message) {
        super(message);
    }
}
