package io.persist.shard;

import io.persist.support.Await;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class BackgroundThreadTest {

    /** Other languages throw it undeclared. The executor would end without a word. */
    @Test
    void shouldGoOnAfterAnExceptionThatIsChecked() {
        AtomicBoolean fails = new AtomicBoolean(true);
        IOException failure = new IOException("as if");
        try (BackgroundThread thread = new BackgroundThread("test", attempts -> {
            if (fails.get()) {
                throwUndeclared(failure);
            }
            return false;
        })) {
            Await.until("it is said", () -> thread.failure() == failure);
            fails.set(false);
            Await.until("all is well", () -> thread.failure() == null);
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Exception> void throwUndeclared(Exception failure) throws E {
        throw (E) failure;
    }
}
