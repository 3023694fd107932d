package io.persist.bench.doctor.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class FactsTest {

    /** It is not full: the doctor would refuse to measure there. */
    @Test
    void shouldNotKnowTheSpaceOfAFileSystemThatDoesNotTell() throws IOException {
        Path proc = Path.of("/proc");
        assumeThat(proc).isDirectory();
        assumeThat(Files.getFileStore(proc).getTotalSpace()).isZero();
        Facts facts = Facts.read(SystemFiles.ofThisMachine(), proc);

        assertThat(facts.usableBytes()).isEqualTo(Long.MAX_VALUE);
        assertThat(facts.asMap()).containsEntry("free space", Facts.UNKNOWN);
    }
}
