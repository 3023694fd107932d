package io.persist.log.read.visible;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.file.Mapping;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.LogFileName;
import io.persist.log.LogConfig;
import io.persist.log.engine.Log;
import io.persist.support.Interposed;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class CurrentControlTest {

    private final CrashableStorage storage = new CrashableStorage();

    private void beginAnew() throws IOException {
        if (storage.list().contains(LogFileName.CONTROL)) {
            storage.delete(LogFileName.CONTROL);
        }
        Log.open(LogConfig.builder(Path.of("memory")).segmentLength(4096).build(), storage)
                .close();
    }

    private static StorageFile failing(StorageFile file, AtomicBoolean fails) {
        return Interposed.after(
                StorageFile.class,
                file,
                (call, arguments, result) -> result instanceof Mapping mapping ? failing(mapping, fails) : result);
    }

    /** Its end throws, once it is closed. */
    private static Mapping failing(Mapping mapping, AtomicBoolean fails) {
        return Interposed.after(Mapping.class, mapping, (call, arguments, result) -> {
            if (call.equals("close") && fails.getAndSet(false)) {
                throw new IllegalStateException("injected");
            }
            return result;
        });
    }

    @Test
    void shouldCloseTheNextOneTooIfTheOneBeforeCannotBeClosed() throws IOException {
        beginAnew();
        AtomicBoolean fails = new AtomicBoolean();
        Storage failing = Interposed.after(
                Storage.class,
                storage,
                (call, arguments, result) -> result instanceof StorageFile file ? failing(file, fails) : result);
        CurrentControl control = new CurrentControl(failing, new ExpectedEnd(failing));
        beginAnew();
        fails.set(true);
        assertThatThrownBy(control::lookForAnother).hasMessage("injected");
        control.close();
        assertThat(storage.openHandles()).isZero();
    }
}
