package io.persist.log.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.persist.error.LogIOException;
import io.persist.error.LogLockedException;
import io.persist.error.PersistException;
import io.persist.file.BootId;
import io.persist.file.disk.OperatingSystem;
import io.persist.file.disk.ProcessIdentity;
import io.persist.format.LogFileName;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.RecoveryReport;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.log.read.Tailer;
import io.persist.support.Await;
import io.persist.support.ChildJvm;
import io.persist.support.HolderMark;
import io.persist.support.Records;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The ways in which two writers came to one log, as their users would write them. */
class SecondWriterTest {

    @TempDir
    Path directory;

    private LogConfig config() {
        return WriterKind.MAPPED.config(directory).build();
    }

    private static void commit(Log log, int records) {
        Records.append(log, records);
        log.commit(Durability.SYNCED);
    }

    // ---- another class loader, as of a plug-in or a second web application

    /** Nothing of the library, nor of what it uses, is shared with this class. */
    private static URLClassLoader anotherLoader() throws MalformedURLException {
        List<URL> path = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            path.add(Path.of(entry).toUri().toURL());
        }
        return new URLClassLoader(path.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
    }

    /** Opens the log by the library of {@code loader}. */
    private static AutoCloseable open(ClassLoader loader, Path directory) throws Throwable {
        Class<?> type = loader.loadClass("io.persist.log.LogConfig");
        Object builder = type.getMethod("builder", Path.class).invoke(null, directory);
        Object config = builder.getClass().getMethod("build").invoke(builder);
        try {
            return (AutoCloseable) loader.loadClass("io.persist.log.engine.Log")
                    .getMethod("open", type)
                    .invoke(null, config);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @Test
    void shouldRefuseASecondClassLoaderAndKeepTheLock() throws Throwable {
        try (URLClassLoader loader = anotherLoader();
                ChildJvm other = WriterProcess.start(directory)) {
            try (Log log = Log.open(config())) {
                commit(log, 3);
                for (int i = 0; i < 2; i++) {
                    assertThat(refusal(loader))
                            .contains("log is open for writing elsewhere")
                            .contains("in this process: pid="
                                    + ProcessHandle.current().pid() + ", thread="
                                    + Thread.currentThread().getName());
                }
                assertThat(other.ask("open"))
                        .as("the lock of the operating system is still there")
                        .startsWith("LogLockedException log is open for writing elsewhere");
                commit(log, 2);
            }
            try (AutoCloseable there = open(loader, directory)) {
                assertThat(there.getClass()).isNotEqualTo(Log.class);
                assertThatExceptionOfType(LogLockedException.class)
                        .isThrownBy(() -> Log.open(config()))
                        .withMessageContaining("in this process");
            }
        }
        try (Log log = Log.open(config())) {
            assertThat(log.lastSequence()).isEqualTo(5);
        }
    }

    private String refusal(ClassLoader loader) throws Throwable {
        try {
            open(loader, directory).close();
            return "opened";
        } catch (Exception e) {
            assertThat(e.getClass().getName()).isEqualTo(LogLockedException.class.getName());
            return e.getMessage();
        }
    }

    // ---- another path

    @Test
    void shouldRefuseALogWhoseLockFileHasAnotherName(@TempDir Path other) throws IOException {
        try (Log log = Log.open(config());
                ChildJvm child = WriterProcess.start(directory)) {
            commit(log, 1);
            Files.createLink(other.resolve(LogFileName.LOCK), directory.resolve(LogFileName.LOCK));
            assertThatExceptionOfType(LogLockedException.class)
                    .isThrownBy(() -> Log.open(WriterKind.MAPPED.config(other).build()))
                    .withMessageContaining("in this process");
            assertThat(child.ask("open")).startsWith("LogLockedException log is open for writing elsewhere");
        }
    }

    @Test
    void shouldRefuseALogThatIsMountedAtASecondPlace(@TempDir Path mounted) throws Exception {
        String mount = "mount --bind \"$0\" \"$1\" && shift && exec \"$@\"";
        List<String> command =
                new ArrayList<>(List.of("unshare", "-m", "sh", "-c", mount, directory.toString(), mounted.toString()));
        assumeThat(canMount(command)).as("may mount").isTrue();
        command.addAll(ChildJvm.briefly(TwoPlaces.class, directory, mounted));
        try (ChildJvm child = ChildJvm.run(command);
                ChildJvm other = WriterProcess.start(directory)) {
            assertThat(child.hear())
                    .startsWith("LogLockedException log is open for writing elsewhere")
                    .contains("in this process");
            assertThat(other.ask("open")).startsWith("LogLockedException log is open for writing elsewhere");
            assertThat(child.awaitEnd()).isZero();
        }
        try (Log log = Log.open(config())) {
            assertThat(log.lastSequence()).isEqualTo(4);
        }
    }

    private static boolean canMount(List<String> command) throws InterruptedException {
        List<String> trial = new ArrayList<>(command);
        trial.add("true");
        try {
            return new ProcessBuilder(trial).start().waitFor() == 0;
        } catch (IOException noSuchProgram) {
            return false;
        }
    }

    /** Opens the log at its first place, then at its second one; ends when it is told. */
    static final class TwoPlaces {

        public static void main(String[] arguments) throws IOException {
            try (Log log =
                    Log.open(WriterKind.MAPPED.config(Path.of(arguments[0])).build())) {
                commit(log, 2);
                try {
                    Log.open(WriterKind.MAPPED.config(Path.of(arguments[1])).build())
                            .close();
                    System.out.println("opened");
                } catch (PersistException e) {
                    System.out.println(e.getClass().getSimpleName() + " " + e.getMessage());
                }
                ChildJvm.questions().readLine();
                commit(log, 2);
            }
        }
    }

    // ---- a backup in the writer's process

    @Test
    void shouldRefuseALogWhoseWriterHasCopiedAllOfItsFiles(@TempDir Path backup) throws Exception {
        try (ChildJvm writer = WriterProcess.start(directory)) {
            assertThat(writer.ask("open")).isEqualTo(WriterProcess.DONE);
            assertThat(writer.ask("append 3")).isEqualTo(WriterProcess.DONE);
            assertThat(writer.ask("backup " + backup)).isEqualTo(WriterProcess.DONE);
            assertThatExceptionOfType(LogLockedException.class)
                    .isThrownBy(() -> Log.open(config()))
                    .withMessageContaining("in another process, which has lost its lock")
                    .withMessageContaining("pid=" + writer.pid());
            assertThat(writer.ask("append 2")).isEqualTo(WriterProcess.DONE);
            assertThat(writer.ask("close")).isEqualTo(WriterProcess.DONE);
        }
        try (Log log = Log.open(config());
                Tailer tailer = log.tailer()) {
            assertThat(log.lastSequence()).isEqualTo(5);
            assertThat(Records.readAll(tailer)).isEqualTo(5);
        }
    }

    // ---- what cannot be seen: another container

    /** The holder before is in another pid namespace, as far as the second one can tell. */
    private void loseLockUnseen() throws IOException {
        Files.delete(directory.resolve(LogFileName.LOCK));
        Files.createFile(directory.resolve(LogFileName.LOCK));
        HolderMark.move(directory);
    }

    @Test
    void shouldStopAWriterThatWasOvertaken() throws Exception {
        assumeThat(OperatingSystem.bootId()).isNotEqualTo(BootId.UNKNOWN);
        Log log = Log.open(config());
        commit(log, 3);
        Records.append(log, 1); // the next one is an append like most, and not the first after a commit
        Await.segmentsAhead(log, 2); // or a thread that makes one may be the first to find out, before there is a pid
        try (ChildJvm second = WriterProcess.start(directory)) {
            loseLockUnseen();
            assertThat(second.ask("open")).isEqualTo(WriterProcess.DONE);
            assertThat(second.ask("append 2")).isEqualTo(WriterProcess.DONE);
            assertThatExceptionOfType(LogIOException.class)
                    .isThrownBy(() -> Records.append(log, 1))
                    .withCauseInstanceOf(LogLockedException.class)
                    .withMessageContaining("another process has opened the log for writing")
                    .withMessageContaining("pid=" + second.pid())
                    .withMessageContaining("epoch=2, mine=1");
            assertThatExceptionOfType(LogIOException.class).isThrownBy(() -> log.commit(Durability.SYNCED));
            assertThatExceptionOfType(LogIOException.class).isThrownBy(log::sync);
            assertThatExceptionOfType(LogIOException.class).isThrownBy(log::close);
            assertThat(second.ask("append 2")).isEqualTo(WriterProcess.DONE);
            assertThat(HolderMark.get(directory).pid()).isEqualTo(second.pid());
            assertThat(second.ask("close")).isEqualTo(WriterProcess.DONE);
        }
        try (Log again = Log.open(config());
                Tailer tailer = again.tailer()) {
            assertThat(again.recovery().start()).isEqualTo(RecoveryReport.Left.CLOSED);
            assertThat(again.lastSequence()).isEqualTo(8);
            assertThat(Records.readAll(tailer)).isEqualTo(8);
        }
    }

    // ---- the death of the writer

    @Test
    void shouldOpenAtOnceWhatAKilledWriterHasLeft() throws Exception {
        try (ChildJvm writer = WriterProcess.start(directory)) {
            assertThat(writer.ask("open")).isEqualTo(WriterProcess.DONE);
            assertThat(writer.ask("append 3")).isEqualTo(WriterProcess.DONE);
            assertThat(HolderMark.get(directory).pid()).isEqualTo(writer.pid());
            writer.kill();
        }
        try (Log log = Log.open(config())) {
            assertThat(log.lastSequence()).isEqualTo(3);
        }
        assertThat(HolderMark.get(directory).pid()).isZero();
    }

    /** The pid of a dead writer is a living process's by now. */
    @Test
    void shouldOpenWhenAnotherProcessHasThePidOfTheWriter() throws IOException {
        Log.open(config()).close();
        ProcessIdentity parent = ProcessIdentity.of(
                ProcessHandle.current().parent().map(ProcessHandle::pid).orElse(1L));
        HolderMark.put(directory, new ProcessIdentity(parent.pid(), parent.start() + 1, parent.namespace()));
        Log.open(config()).close();
    }
}
