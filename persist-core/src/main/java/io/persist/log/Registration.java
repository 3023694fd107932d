package io.persist.log;

/** That a listener is called, until this is closed. */
public interface Registration extends AutoCloseable {

    /** The listener will not be called any more, once a call that is under way has returned. */
    @Override
    void close();
}
