package io.persist.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.beust.jcommander.Parameter;
import io.persist.error.LogIOException;
import io.persist.tool.OutputException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** How any program ends. */
class ProgramTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @AfterEach
    void forgetTheInterrupt() {
        Thread.interrupted();
    }

    /** What the program does. */
    @FunctionalInterface
    private interface Work {
        int of(Program.Call call) throws IOException, InterruptedException;
    }

    /** Measures nothing. */
    private static final class Sample extends Program {

        private final String operands;
        private final Work work;

        @Parameter(names = "--size", description = "of all")
        private int size = 3;

        Sample(String operands, Work work) {
            this.operands = operands;
            this.work = work;
        }

        @Override
        public Manual manual() {
            return Manual.of("sample", operands, "Measures nothing.").exits("failed");
        }

        @Override
        protected String[] flagsOf(String... args) {
            return Stream.of(args).map(arg -> arg.replace('_', '-')).toArray(String[]::new);
        }

        @Override
        protected String shown(String arg) {
            return arg.replace("secret", "...");
        }

        @Override
        protected int work(Call call) throws IOException, InterruptedException {
            return work.of(call);
        }
    }

    private int run(Sample sample, String... args) {
        return sample.run(
                args,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void shouldDoItsWorkWithTheFlagsAndOperands() {
        Sample[] sample = new Sample[1];
        sample[0] = new Sample("DIR", call -> {
            call.out().print(call.operands() + " " + call.command() + " " + sample[0].size);
            return 5;
        });

        assertThat(run(sample[0], "--size", "7", "secret")).isEqualTo(5);
        assertThat(out()).isEqualTo("[secret] [bin/persist, sample, --size, 7, ...] 7");
        assertThat(err()).isEmpty();
    }

    @Test
    void shouldPrintItsHelpAndDoNothing() {
        assertThat(run(
                        new Sample("", call -> {
                            throw new AssertionError();
                        }),
                        "__help"))
                .isZero();
        assertThat(out())
                .startsWith("Measures nothing.\n\nUsage: bin/persist sample [flags]\n")
                .contains("--size VALUE", "-h, --help")
                .endsWith("Exit code: 0 done, 1 failed, 2 wrong use.\n");
        assertThat(err()).isEmpty();
    }

    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of(new IOException("no space\n left"), "no space left"),
                Arguments.of(new NoSuchFileException("a"), "a: no such file or directory"),
                Arguments.of(new UncheckedIOException(new NoSuchFileException("a")), "a: no such file or directory"),
                Arguments.of(new LogIOException("cannot sync", new IOException("EIO")), "cannot sync"),
                Arguments.of(new InterruptedException(), "interrupted"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void shouldSayInOneLineWhyItHasFailed(Exception failure, String line) {
        assertThat(run(new Sample("", call -> fail(failure)))).isEqualTo(Command.FAILED);
        assertThat(err()).isEqualTo("persist sample: " + line + "\n");
        assertThat(Thread.currentThread().isInterrupted()).isEqualTo(failure instanceof InterruptedException);
    }

    private static int fail(Exception failure) throws IOException, InterruptedException {
        if (failure instanceof IOException e) {
            throw e;
        }
        if (failure instanceof InterruptedException e) {
            throw e;
        }
        throw (RuntimeException) failure;
    }

    @Test
    void shouldSayHowLargeTheHeapIsIfThatIsFull() {
        assertThat(run(new Sample("", call -> {
                    throw new OutOfMemoryError("Java heap space");
                })))
                .isEqualTo(Command.FAILED);
        assertThat(err())
                .isEqualTo("persist sample: out of memory with a heap of "
                        + Text.bytes(Runtime.getRuntime().maxMemory()) + "; give the JVM a larger -Xmx\n");
    }

    /** The JVM has one error for all that find no memory, and none can be suppressed for its own sake. */
    @Test
    void shouldSaySoAlsoIfWhatIsClosedBehindItFindsNoMemoryEither() {
        OutOfMemoryError full = new OutOfMemoryError("Java heap space");
        AutoCloseable closed = () -> {
            throw full;
        };
        assertThat(run(new Sample("", call -> {
                    try (closed) {
                        throw full;
                    } catch (Exception e) {
                        return fail(e);
                    }
                })))
                .isEqualTo(Command.FAILED);
        assertThat(err())
                .startsWith("persist sample: out of memory with a heap of ")
                .hasLineCount(1);
    }

    @Test
    void shouldSayWhereAMistakeIs() {
        assertThat(run(new Sample("", call -> {
                    throw new IllegalStateException("half a record");
                })))
                .isEqualTo(Command.FAILED);
        assertThat(err())
                .startsWith("persist sample: half a record (IllegalStateException at io.persist.command.ProgramTest")
                .hasLineCount(1);
    }

    @Test
    void shouldRefuseWrongUse() {
        assertThat(run(new Sample("", call -> Command.OK), "--sice", "1")).isEqualTo(Command.USAGE);
        assertThat(err()).isEqualTo("persist sample: unknown flag --sice; see --help\n");
    }

    @Test
    void shouldShowWhereHelpIsIfItsWorkRefusesTheFlags() {
        assertThat(run(new Sample("", call -> {
                    throw new UsageException("--size 3 is odd;\ngive an even one");
                })))
                .isEqualTo(Command.USAGE);
        assertThat(err()).isEqualTo("persist sample: --size 3 is odd; give an even one; see --help\n");
    }

    /** The locale of cron has no other characters than those of ASCII, so that Java cannot name such a file. */
    @Test
    void shouldSayWhichLocaleHasThePath() {
        assertThat(run(new Sample("", call -> {
                    throw new InvalidPathException("/l??ge\nb", "Malformed input or unmappable characters");
                })))
                .isEqualTo(Command.USAGE);
        assertThat(err())
                .isEqualTo("persist sample: not a path in this locale, which has not all of its characters:"
                        + " /l??ge\\u000ab; set LC_ALL=C.UTF-8; see --help\n");
    }

    /** Nobody would read a line about it. */
    @Test
    void shouldLeaveLostOutputToTheLauncher() {
        assertThatThrownBy(() -> run(new Sample("", call -> {
                    throw OutputException.readerGone();
                })))
                .isInstanceOf(OutputException.class);
        assertThat(err()).isEmpty();
    }

    @Test
    void shouldTakeOperandsOnlyIfItsManualNamesSome() {
        assertThat(run(new Sample("", call -> Command.OK), "x")).isEqualTo(Command.USAGE);
        assertThat(run(new Sample("DIR", call -> Command.OK), "x")).isEqualTo(Command.OK);
    }
}
