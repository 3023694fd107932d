package io.persist.log;

/**
 * The registration of a listener, which is called until this is closed. Not for implementing: the library makes all
 * registrations, and may give them methods.
 */
public interface Registration extends AutoCloseable {

    /** Ends the registration. The listener is not called any more, once a call that is under way has returned. */
    @Override
    void close();
}
