package io.persist.bench.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.bench.device.access.DeviceEngines;
import io.persist.bench.device.engine.Access;
import io.persist.bench.device.engine.DeviceEngine;
import io.persist.bench.device.engine.Operation;
import io.persist.bench.device.engine.Pattern;
import io.persist.bench.device.engine.Request;
import io.persist.command.CommandLine;
import io.persist.support.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class CellRunTest {

    @TempDir
    private Path directory;

    private Path asked;

    @BeforeEach
    void ask() {
        asked = directory.resolve("asked");
    }

    private static DeviceEngine channel() {
        return DeviceEngines.plain().all().stream()
                .filter(each -> each.name().equals("channel"))
                .findFirst()
                .orElseThrow();
    }

    /** Measures a cell beside a program that does {@code thenFio} once it is asked. */
    private CellResult measure(DeviceEngine engine, String thenFio, BooleanSupplier isEnding)
            throws IOException, InterruptedException {
        Path program = Files.writeString(
                directory.resolve("fio"),
                "#!/bin/sh\n[ \"$1\" = --version ] && echo fio-9 && exit\necho $$ > " + asked + "\n" + thenFio + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        Path file = Files.write(directory.resolve("noise"), new byte[16 * 4096]);
        DeviceFlags flags = flags(file);
        CellRun run = new CellRun(
                flags,
                List.of(new TestFile(file, 16 * 4096)),
                Fio.find(program.toString(), 4096, 1),
                Long.MAX_VALUE,
                isEnding);
        return run.measure(new Cell(engine, Pattern.SEQ, Operation.WRITE, 0, 1));
    }

    private static DeviceFlags flags(Path file) {
        DeviceFlags flags = new DeviceFlags();
        CommandLine.of(flags).parse(new String[] {
            "--fileSize", "64k", "--block", "4096", "--seconds", "0.02", "--warmup", "0", "--file", "" + file
        });
        return flags;
    }

    /** Stopped when the second of two turns begins, fio has the rate of the first one, and not half of it. */
    @Test
    void shouldHaveFiosRateOfTheTurnsThatWereDone() throws IOException, InterruptedException {
        AtomicInteger turns = new AtomicInteger();
        DeviceEngine counted = DeviceEngine.of("counted", Set.of(), List.of(), spec -> {
            turns.incrementAndGet();
            return channel().opener().open(spec);
        });
        CellResult result =
                measure(counted, "echo '{\"jobs\":[{\"write\":{\"iops\":1000.0}}]}'", () -> turns.get() == 2);

        assertThat(result.missing()).isEmpty();
        assertThat(result.fioPerSecond()).isEqualTo(1000);
    }

    /** It would write on, in files that nobody takes away. */
    @Test
    @Timeout(60)
    void shouldEndFioWhenTheUserWantsTheEnd() throws IOException, InterruptedException {
        CellResult result =
                measure(channel(), "exec sleep 600", () -> asked.toFile().length() > 0);

        assertThat(result.missing()).isEmpty();
        assertThat(result.note()).startsWith("cut short after ");
        assertThat(result.fioPerSecond()).isNull();
        long pid = Long.parseLong(Files.readString(asked).strip());
        assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
    }

    @Test
    void shouldTouchNoGrowingFileOfSomebodyElse() throws IOException, InterruptedException {
        Path growing = Files.writeString(directory.resolve("noise.append"), "mine");
        CellResult result = measure(channel(), "echo '{\"jobs\":[{\"write\":{\"iops\":1000.0}}]}'", () -> false);

        assertThat(result.fioPerSecond()).isEqualTo(1000);
        assertThat(result.note()).isEmpty();
        assertThat(growing).hasContent("mine");
    }

    /** The other files have an hour to go. */
    @Test
    @Timeout(60)
    void shouldEndACellAsSoonAsOneOfItsFilesFails() throws IOException, InterruptedException {
        List<TestFile> files = List.of(
                new TestFile(Files.write(directory.resolve("good"), new byte[16 * 4096]), 16 * 4096),
                new TestFile(Files.write(directory.resolve("bad"), new byte[16 * 4096]), 16 * 4096));
        CountDownLatch busy = new CountDownLatch(1);
        DeviceEngine engine = DeviceEngine.of("half", Set.of(), List.of(), spec -> new Access() {

            private final Deque<Request> begun = new ArrayDeque<>();

            @Override
            public void begin(Request request) throws IOException {
                if (spec.file().endsWith("bad")) {
                    Await.latch(busy);
                    throw new IOException("no such block");
                }
                busy.countDown();
                begun.add(request);
            }

            @Override
            public Request await() {
                return begun.remove();
            }

            @Override
            public void close() {}
        });
        DeviceFlags flags = new DeviceFlags();
        CommandLine.of(flags)
                .parse(new String[] {"--fileSize", "64k", "--block", "4096", "--seconds", "3600", "--warmup", "0"});
        CellResult result = new CellRun(flags, files, null, 1, () -> false)
                .measure(new Cell(engine, Pattern.SEQ, Operation.WRITE, 0, 1));

        assertThat(result.missing()).isEqualTo("no such block");
    }

    /** The other cells go on. */
    @Test
    void shouldSayThatThereIsNoMemoryForACell() throws IOException, InterruptedException {
        DeviceEngine greedy = DeviceEngine.of("greedy", Set.of(), List.of(), spec -> {
            throw new OutOfMemoryError("Cannot reserve 8 bytes of direct buffer memory");
        });
        Path file = Files.write(directory.resolve("noise"), new byte[16 * 4096]);
        CellRun run = new CellRun(flags(file), List.of(new TestFile(file, 16 * 4096)), null, 1, () -> false);
        CellResult result = run.measure(new Cell(greedy, Pattern.SEQ, Operation.WRITE, 0, 1));
        assertThat(result.missing()).startsWith("no memory for its blocks (Cannot reserve 8 bytes");
    }
}
