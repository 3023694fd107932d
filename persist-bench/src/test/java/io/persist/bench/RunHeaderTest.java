package io.persist.bench;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.bench.flags.StoreLoggerParameters;
import io.persist.command.CommandLine;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunHeaderTest {

    /** Far more than there is space for, if all of them stay. */
    private static final BenchmarkRun.Size MANY = new BenchmarkRun.Size(1_000_000_000_000L, 1000, 1000);

    @TempDir
    Path directory;

    private void check(String... flags) throws Exception {
        StoreLoggerParameters parameters = new StoreLoggerParameters();
        CommandLine commandLine = CommandLine.of(parameters);
        String[] all = new String[flags.length + 2];
        all[0] = "--logLocation";
        all[1] = directory.toString();
        System.arraycopy(flags, 0, all, 2, flags.length);
        commandLine.parse(all);
        parameters.validate();
        new RunHeader(parameters, System.out).checkSpace(MANY);
    }

    private void assertRefused(String... flags) {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> check(flags))
                .withMessageContaining("--count 1000000000000 takes about");
    }

    /** Values that are replaced do not stay. */
    @Test
    void shouldNotRefuseAStoreForWhatCompactionTakesAway() {
        assertThatCode(() -> check("--keys", "1000")).doesNotThrowAnyException();
        assertRefused();
        assertRefused("--keys", "1000", "--maxSpaceRatio", "0");
        assertRefused("--keys", "10000000000");
    }
}
