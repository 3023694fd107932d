package io.persist.support;

import io.persist.file.Storage;
import io.persist.file.StorageFile;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.Consumer;

/** A storage, or a file of one, behind whose calls something else is done: what another process does at that moment. */
public final class Interposed {

    private Interposed() {}

    /** What is done behind a call. */
    @FunctionalInterface
    public interface After {

        /** {@code result} is what {@code call} has returned, with {@code arguments}; returns what it is to return. */
        Object call(String call, Object[] arguments, Object result) throws IOException;
    }

    /** What is done behind a call to a file of a storage. */
    @FunctionalInterface
    public interface AfterFile {

        void call(String file, String call) throws IOException;
    }

    /** {@code target} with {@code then} behind each call to it or to a file that was opened by it; it gets the call. */
    public static Storage afterEach(Storage target, Consumer<String> then) {
        Storage files = afterFiles(target, (file, call) -> then.accept(call));
        return after(Storage.class, files, (call, arguments, result) -> {
            then.accept(call);
            return result;
        });
    }

    /** {@code target} with {@code after} behind each call to a file that was opened by it. */
    public static Storage afterFiles(Storage target, AfterFile after) {
        return after(Storage.class, target, (call, arguments, result) -> {
            if (!call.equals("open")) {
                return result;
            }
            return after(StorageFile.class, (StorageFile) result, (ofFile, given, made) -> {
                after.call((String) arguments[0], ofFile);
                return made;
            });
        });
    }

    /**
     * A {@code type} that does what {@code target} does, and {@code after} behind each call. A method of the interface
     * itself calls the others of the result, and not those of the target; so these calls are seen too.
     */
    public static <T> T after(Class<T> type, T target, After after) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (target.getClass()
                            .getMethod(method.getName(), method.getParameterTypes())
                            .isDefault()) {
                        return InvocationHandler.invokeDefault(proxy, method, arguments);
                    }
                    try {
                        return after.call(method.getName(), arguments, method.invoke(target, arguments));
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
