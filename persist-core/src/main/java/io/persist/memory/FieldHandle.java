package io.persist.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The handle of a field that threads share, for what the language has no word for: a compare-and-set, a store with
 * release. It belongs in a {@code static final} field: there it is a constant for the compiler, and costs nothing.
 */
public final class FieldHandle {

    private FieldHandle() {}

    /**
     * The handle of the field {@code name} of {@code owner}, which {@code lookup} can access. It takes values of the
     * field's very {@code type}: one that would have to be converted is an error, and not a slow call.
     */
    public static VarHandle of(MethodHandles.Lookup lookup, Class<?> owner, String name, Class<?> type) {
        try {
            return lookup.findVarHandle(owner, name, type).withInvokeExactBehavior();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
