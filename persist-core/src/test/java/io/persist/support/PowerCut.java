package io.persist.support;

/** The machine is off. An Error, so that no handler of exceptions goes on as if nothing had happened. */
public final class PowerCut extends Error {

    private static final long serialVersionUID = 1L;

    public PowerCut(String message) {
        super(message);
    }
}
