package io.persist.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.log.Durability;
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
                "-c | -c needs a value; --count is how many to write",
                "-c -f | -c needs a value; --count is how many to write",
                "-c ten | -c ten is not a whole number; --count is how many to write",
                "-c 1.5 | -c 1.5 is not a whole number; --count is how many to write",
                "-t long | -t long is not a number; --warmupTime is seconds of warm-up",
                "-m rwx | -m rwx is none of rw, rws, rwd; choose one",
                "--waitStrategy busy | --waitStrategy busy is none of busySpin, yielding, sleeping, blocking; choose one",
                "-c 1 --count 2 | --count is given more than once; leave one of them out",
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

    private static MessageLoggerParameters parse(String args) {
        MessageLoggerParameters parameters = new MessageLoggerParameters();
        CommandLine.of(parameters).parse(args.isBlank() ? new String[0] : args.split(" "));
        return parameters;
    }
}
