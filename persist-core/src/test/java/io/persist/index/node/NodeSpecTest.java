package io.persist.index.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.support.Docs;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** docs/file-format.md says of a node what the code does: checkpoints have nodes as they are in memory. */
class NodeSpecTest {

    @Test
    void shouldTellTheOffsetOfEachFieldOfTheHeader() throws ReflectiveOperationException {
        Set<String> told = new TreeSet<>();
        int end = 0;
        for (List<String> row : Docs.table("docs/file-format.md", "NodeHeader")) {
            Field field = NodeHeader.class.getDeclaredField(row.get(3));
            field.setAccessible(true);
            assertThat(row.get(0)).as(field.getName()).isEqualTo(field.get(null).toString());
            assertThat(Integer.parseInt(row.get(0)))
                    .as("the end of the one before")
                    .isGreaterThanOrEqualTo(end);
            end = Integer.parseInt(row.get(0)) + Integer.parseInt(row.get(1));
            told.add(field.getName());
        }
        assertThat(end).isLessThanOrEqualTo(NodeHeader.LENGTH);
        assertThat(told)
                .isEqualTo(Arrays.stream(NodeHeader.class.getDeclaredFields())
                        .map(Field::getName)
                        .filter(name -> name.endsWith("_OFFSET"))
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    /** The numbers that the text tells. */
    @Test
    void shouldTellTheLengths() {
        assertThat(Node.LENGTH).isEqualTo(4096);
        assertThat(NodeHeader.LENGTH).isEqualTo(40);
        assertThat(Node.SLOT_LENGTH).isEqualTo(8);
        assertThat(Node.HEAD_LENGTH).isEqualTo(4);
        assertThat(KeyBuffer.MAX_LENGTH).isEqualTo(1024);
        Node node = Node.scratch();
        node.init(Node.LEAF, 1);
        assertThat(node.valueLength()).isEqualTo(12);
        node.init(1, 1);
        assertThat(node.valueLength()).isEqualTo(4);
    }
}
