package io.persist.bench.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.bench.device.access.DeviceEngines;
import io.persist.bench.device.engine.DeviceEngine;
import io.persist.bench.device.engine.Operation;
import io.persist.bench.device.engine.Pattern;
import io.persist.command.CommandLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CellRunTest {

    @TempDir
    private Path directory;

    /** Stopped behind the first of two turns, fio has the rate of that turn, and not half of it. */
    @Test
    void shouldHaveFiosRateOfTheTurnsThatWereDone() throws IOException, InterruptedException {
        Path asked = directory.resolve("asked");
        Path program = Files.writeString(
                directory.resolve("fio"),
                "#!/bin/sh\n[ \"$1\" = --version ] && echo fio-9 && exit\ntouch " + asked
                        + "\necho '{\"jobs\":[{\"write\":{\"iops\":1000.0}}]}'\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        Path file = Files.write(directory.resolve("noise"), new byte[16 * 4096]);
        DeviceFlags flags = new DeviceFlags();
        CommandLine.of(flags).parse(new String[] {
            "--fileSize", "64k", "--block", "4096", "--seconds", "0.02", "--warmup", "0", "--file", "" + file
        });
        DeviceEngine channel = DeviceEngines.plain().all().stream()
                .filter(each -> each.name().equals("channel"))
                .findFirst()
                .orElseThrow();
        try (CellRun run = new CellRun(
                flags,
                List.of(new TestFile(file, 16 * 4096)),
                Fio.find(program.toString(), 4096, 1),
                Long.MAX_VALUE,
                () -> Files.exists(asked))) {
            CellResult result = run.measure(new Cell(channel, Pattern.SEQ, Operation.WRITE, 0, 1));

            assertThat(result.missing()).isEmpty();
            assertThat(result.fioPerSecond()).isEqualTo(1000);
        }
    }
}
