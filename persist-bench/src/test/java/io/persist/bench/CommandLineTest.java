package io.persist.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.beust.jcommander.Parameter;
import io.persist.bench.flags.MessageLoggerParameters;
import io.persist.command.CommandLine;
import io.persist.command.Text;
import io.persist.command.UsageException;
import io.persist.log.Durability;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandLineTest {

    @ParameterizedTest
    @ValueSource(
            strings = {"-f", "-f true", "-f TRUE", "-f -c 5", "-f true -c 5", "--flushOnCommit", "--flushOnCommit=true"
            })
    void shouldTakeABooleanAsTrue(String args) {
        assertThat(parse(args).common().durability()).isEqualTo(Durability.FLUSHED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-f false", "-f false -c 5", "-y false -f False", "--flushOnCommit=false"})
    void shouldTakeABooleanAsFalse(String args) {
        assertThat(parse(args).common().durability()).isEqualTo(Durability.BUFFERED);
    }

    @Test
    void shouldTakeNegativeNumbersAsValues() {
        assertThat(parse("-r -1 -f").common().rate()).isEqualTo(-1);
        assertThat(parse("--rate=-1").common().rate()).isEqualTo(-1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-f yes | -f yes is none of true, false; choose one",
                "-c | -c needs a value; --count: how many to write",
                "--writeMode | --writeMode needs a value; --writeMode: mapped: mapped memory; file: a buffer, the",
                "-c -f | -c needs a value; --count: how many to write",
                "-c ten | -c ten is not a whole number; --count: how many to write",
                "-c 1.5 | -c 1.5 is not a whole number; --count: how many to write",
                "-t long | -t long is not a number; --warmupTime: seconds of warm-up",
                "-m rwx | -m rwx is none of rw, rws, rwd; choose one",
                "--waitStrategy busy | --waitStrategy busy is none of busySpin, yielding, sleeping, blocking",
                "-a 10XB | -a 10XB is not a whole number of bytes, nor one with a unit such as 10MB;",
                "--segmentSize 1KB | --segmentSize 1KB is not a whole number of MB, nor one with a unit",
                "--logLocation= | --logLocation is empty; name a path, or look whether a variable is unset",
                "--writemode file | unknown flag --writemode; did you mean --writeMode? See --help",
                "--syncOn | unknown flag --syncOn; did you mean --syncOnCommit? See --help",
                "-x | unknown flag -x; see --help",
                "logs | unexpected argument 'logs'; flags start with -, see --help",
            })
    void shouldSayInOneLineWhatIsWrong(String args, String message) {
        assertThatThrownBy(() -> parse(args))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith(message)
                .hasMessageNotContaining("\n");
    }

    /** Flags of each type that JCommander would refuse in its own words. */
    private static final class Typed {

        @Parameter(names = "--int", description = "an int; and more")
        private int number = 1;

        @Parameter(names = "--integer", description = "an Integer")
        private @Nullable Integer boxed;

        @Parameter(names = "--memory", placeholder = "MB", description = "how much")
        private int memory = 1;

        @Parameter(names = "--levels", description = "some of the levels")
        private List<Durability> levels = List.of();

        @Parameter(names = "--sizes", description = "bytes of each")
        private List<Integer> sizes = List.of();
    }

    private static Typed typed(String args) {
        Typed parameters = new Typed();
        CommandLine.of(parameters).parse(args.split(" "));
        return parameters;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--int 1e6 | --int 1e6 is not a whole number; --int: an int",
                "--int 3000000000 | --int 3000000000 is out of range; give 2,147,483,647 at most",
                "--int -3000000000 | --int -3000000000 is out of range; give 2,147,483,647 at most",
                "--integer x | --integer x is not a whole number; --integer: an Integer",
                "--memory 1KB | --memory 1KB is not a whole number of MB, nor one with a unit such as 10MB;",
                "--levels synced,xx | --levels xx is none of buffered, flushed, synced; choose one",
                "--levels , | --levels is empty, as by a variable that is unset; name some, or leave it out",
                "--sizes 1,x | --sizes x is not a whole number; --sizes: bytes of each",
            })
    void shouldRefuseEachTypeInItsOwnWords(String args, String message) {
        assertThatThrownBy(() -> typed(args)).isInstanceOf(UsageException.class).hasMessageStartingWith(message);
    }

    @Test
    void shouldRefuseANumberThatNoFieldHolds() {
        assertThatThrownBy(() -> parse("-c 99999999999999999999"))
                .hasMessage("-c 99999999999999999999 is out of range; give 9,223,372,036,854,775,807 at most");
    }

    @Test
    void shouldTakeValuesOfEachType() {
        assertThat(typed("--int -2147483648").number).isEqualTo(Integer.MIN_VALUE);
        assertThat(typed("--integer 7").boxed).isEqualTo(7);
        assertThat(typed("--memory 2GB").memory).isEqualTo(2048);
        assertThat(typed("--levels synced,Buffered").levels).containsExactly(Durability.SYNCED, Durability.BUFFERED);
        assertThat(typed("--sizes 1,20").sizes).containsExactly(1, 20);
    }

    @Test
    void shouldLetALaterFlagOverrideAnEarlierOne() {
        assertThat(parse("-c 1 -f --count 2 -f false").common().count(null)).isEqualTo(2);
        assertThat(parse("-c 1 -f --count 2 -f false").common().durability()).isEqualTo(Durability.BUFFERED);
    }

    @Test
    void shouldTakeUnitsOfSizes() {
        assertThat(parse("-a 64KB").common().writeBufferLength()).isEqualTo(65_536);
        assertThat(parse("-a 64kib").common().writeBufferLength()).isEqualTo(65_536);
        assertThat(parse("-a 8192").common().writeBufferLength()).isEqualTo(8192);
        assertThat(parse("-a 8192B").common().writeBufferLength()).isEqualTo(8192);
        assertThat(parse("--segmentSize 1GB").segmentLength()).isEqualTo(1 << 30);
        assertThat(parse("--segmentSize 16").segmentLength()).isEqualTo(16 << 20);
        assertThat(parse("-i 0.5").common().initialLength()).isEqualTo(512L << 20);
        assertThat(parse("-i 1.5MB").common().initialLength()).isEqualTo(3 << 19);
    }

    @Test
    void shouldTakeAnAtSignAsItIs() {
        assertThat(parse("-k @logs").logLocation()).isEqualTo(Path.of("@logs"));
    }

    @Test
    void shouldPartFlagsFromOperands() {
        assertThat(operands("a", "-f", "b", "--count=3", "@c")).containsExactly("a", "b", "@c");
        assertThat(operands("-f", "true", "a", "--", "-b", "--count")).containsExactly("a", "-b", "--count");
        assertThatThrownBy(() -> operands("a", "")).hasMessageStartingWith("an argument is empty; name a directory");
        assertThatThrownBy(() -> operands("--", "")).hasMessageStartingWith("an argument is empty; name a directory");
        assertThatThrownBy(() -> operands("-b")).isInstanceOf(UsageException.class);
    }

    private static List<String> operands(String... args) {
        CommandLine commandLine = CommandLine.withOperands(new MessageLoggerParameters());
        commandLine.parse(args);
        return commandLine.operands();
    }

    private static MessageLoggerParameters parse(String args) {
        MessageLoggerParameters parameters = new MessageLoggerParameters();
        CommandLine.of(parameters).parse(args.isBlank() ? new String[0] : args.split(" "));
        return parameters;
    }

    /** A default or a value that was given with a unit. */
    @Test
    void shouldPrintSmallNumbersWithoutExponent() {
        assertThat(Text.decimal(1.0 / 1024)).isEqualTo("0.0009765625");
        assertThat(Text.decimal(0.25)).isEqualTo("0.25");
        assertThat(Text.decimal(2)).isEqualTo("2");
    }

    @Test
    void shouldCountOneInTheSingular() {
        assertThat(Text.number(0, "roll")).isEqualTo("0 rolls");
        assertThat(Text.number(1, "roll")).isEqualTo("1 roll");
        assertThat(Text.number(1234, "roll")).isEqualTo("1,234 rolls");
    }
}
