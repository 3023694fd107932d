package io.persist.micrometer;

import io.micrometer.core.instrument.Meter;
import java.util.Set;

/** Meters that are in a registry. */
interface Binding {

    /**
     * Takes them out of it, but for those that another logger has taken over.
     *
     * @param there all meters that the registry has, told apart as objects: one look at them serves many bindings
     */
    void unbind(Set<Meter> there);
}
