package io.persist.log.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.LogIOException;
import io.persist.error.LogLockedException;
import io.persist.error.PersistException;
import io.persist.log.LogConfig;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.support.ChildJvm;
import io.persist.support.Records;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One tailer for each name, among processes. */
class CursorLockTest {

    @TempDir
    Path directory;

    @Test
    void shouldRefuseASecondTailerOfAnotherProcessUntilTheFirstOneIsKilled() throws IOException, InterruptedException {
        LogConfig config = WriterKind.MAPPED.config(directory).build();
        try (Log log = Log.open(config);
                ChildJvm child = ChildJvm.startBriefly(Holder.class, directory)) {
            Records.append(log, 3);
            Tailer tailer = log.tailer("billing");
            assertThat(child.ask("open"))
                    .startsWith("LogLockedException cursor is in use: name=billing")
                    .contains("pid=" + ProcessHandle.current().pid());
            for (int i = 0; i < 5; i++) {
                assertThat(LogCursors.open(directory).list().get(0).inUse()).isTrue();
            }
            assertThat(child.ask("list"))
                    .as("a look at it leaves the lock alone")
                    .isEqualTo("true");
            assertThat(child.ask("open")).startsWith("LogLockedException");
            tailer.close();
            assertThat(child.ask("open")).isEqualTo("64");
            assertThatExceptionOfType(LogLockedException.class)
                    .isThrownBy(() -> log.tailer("billing"))
                    .withMessageContaining("pid=" + child.pid());
            assertThat(child.ask("store")).isEqualTo(Long.toString(log.position()));
            child.kill();
            try (Tailer again = log.tailer("billing")) {
                assertThat(again.nextPosition()).isEqualTo(log.position());
            }
        }
    }

    @Test
    void shouldSayThatThereIsNoDirectory() {
        Path none = directory.resolve("none");
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() -> LogCursors.open(none))
                .withMessageStartingWith("cannot look at the cursors: ")
                .withMessageContaining(none.toString());
    }

    /** Opens the tailer, reads all and stores, or lists the cursors, when told. */
    static final class Holder {

        public static void main(String[] arguments) throws IOException {
            LogConfig config = WriterKind.MAPPED.config(Path.of(arguments[0])).build();
            BufferedReader questions = ChildJvm.questions();
            Tailer tailer = null;
            for (String line = questions.readLine(); line != null; line = questions.readLine()) {
                try {
                    switch (line) {
                        case "open" -> {
                            tailer = Tailer.open(config.directory(), "billing");
                            System.out.println(tailer.nextPosition());
                        }
                        case "store" -> {
                            Records.readOn(tailer, 1);
                            System.out.println(tailer.store());
                        }
                        default ->
                            System.out.println(LogCursors.open(config.directory())
                                    .list()
                                    .get(0)
                                    .inUse());
                    }
                } catch (PersistException e) {
                    System.out.println(e.getClass().getSimpleName() + " " + e.getMessage());
                }
            }
        }
    }
}
