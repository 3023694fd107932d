package io.persist.matrix.control;

import io.persist.StoreLogger;
import io.persist.matrix.Effort;
import io.persist.matrix.Exercise;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.store.StoreConfig;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * The error of {@link LateErrors} in one call of a store, at each place that the call comes to. Then another thread
 * puts a key, and a third one closes the store: neither hangs, whether the log has failed or not.
 */
public final class LateErrorInCall implements Exercise {

    private static final String VICTIM = "victim";
    private static final byte[] KEY = {1};

    private static final List<Consumer<StoreLogger>> CALLS = List.of(StoreLogger::roll, LateErrorInCall::put, store -> {
        var unused = store.getBytes(KEY);
    });

    @Override
    public Row row() {
        return Row.DEAD_WRITER;
    }

    @Override
    public List<Subject> subjects() {
        return List.of(Subject.named("store-mapped-attached"));
    }

    @Override
    public void run(Subject subject, Effort effort) throws Exception {
        for (Consumer<StoreLogger> call : CALLS) {
            effort.tried(1);
            for (int n = 1; strike(subject, call, n); n++) {
                effort.tried(1);
            }
        }
    }

    /** False if there were fewer places. */
    private static boolean strike(Subject subject, Consumer<StoreLogger> call, int nth) throws Exception {
        CrashableStorage storage = new CrashableStorage();
        StoreConfig config = StoreConfig.builder(subject.config(Path.of("memory")))
                .checkpointPercent(0)
                .maxSpaceRatio(0)
                .build();
        StoreLogger store = StoreLogger.open(config, storage, storage);
        put(store);
        LateError.arm(VICTIM, nth);
        join(nth, VICTIM, () -> call.accept(store));
        boolean struck = LateError.disarm();
        join(nth, "user", () -> put(store));
        join(nth, "closer", store::close);
        return struck;
    }

    private static void put(StoreLogger store) {
        store.put(KEY, new byte[10]);
    }

    private static void join(int nth, String name, Runnable work) throws InterruptedException {
        LateErrors.join(List.of(LateErrors.start(name, work)), nth);
    }
}
