package io.persist.micrometer;

/** Meters that are in a registry. */
interface Binding extends AutoCloseable {

    /** Takes them out of it, but for those that another logger has taken over. */
    @Override
    void close();
}
