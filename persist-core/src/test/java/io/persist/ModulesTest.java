package io.persist;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.support.Docs;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/** What the poms say of the modules: in the documents, and to those who depend on them. */
class ModulesTest {

    private static final String READING = "docs/reading.md";
    private static final String BOM = "persist-bom";

    /** Annotations, which nobody needs when it runs. */
    private static final String ANNOTATIONS = "jspecify";

    @Test
    void shouldNameEachModuleAndWhatItDependsOn() throws Exception {
        List<List<String>> rows = Docs.table(READING, "modules");
        List<String> modules = texts(children(pom("pom.xml"), "modules"), "module").stream()
                .filter(module -> !module.equals("format.xml")) // which only looks at the sources of the others
                .filter(module -> !module.equals(BOM))
                .toList();
        assertThat(rows.stream().map(row -> row.get(0))).containsExactlyInAnyOrderElementsOf(modules);
        for (List<String> row : rows) {
            List<String> needed = dependencies(row.get(0) + "/pom.xml");
            assertThat(row.get(2))
                    .as("dependencies of " + row.get(0))
                    .isEqualTo(needed.isEmpty() ? "none" : String.join(", ", needed));
        }
    }

    @Test
    void shouldCheckEachPublishedModuleForTidiness() {
        for (List<String> row : Docs.table(READING, "modules")) {
            String sources = "persist-core/src/test/java/io/persist/TidyTest.java";
            if (Files.exists(Docs.root().resolve(row.get(0)).resolve("src/main"))) {
                assertThat(Docs.read(sources)).contains("\"" + row.get(0) + "\"");
            }
        }
    }

    /** What is published has a module name of its own, and is in the BOM, with the version of all. */
    @Test
    void shouldPublishEachModuleByItsNameAndVersion() throws Exception {
        Element bom = pom(BOM + "/pom.xml");
        List<String> inBom =
                elements(children(children(bom, "dependencyManagement"), "dependencies"), "dependency").stream()
                        .filter(dependency -> texts(dependency, "classifier").isEmpty())
                        .map(dependency -> texts(dependency, "artifactId").get(0))
                        .toList();
        List<String> published = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (List<String> row : Docs.table(READING, "modules")) {
            List<Element> properties = elements(pom(row.get(0) + "/pom.xml"), "properties");
            if (properties.stream()
                    .allMatch(set -> texts(set, "maven.deploy.skip").isEmpty())) {
                published.add(row.get(0));
                names.addAll(texts(properties.get(0), "persist.module"));
            }
        }
        assertThat(published).contains("persist-core").doesNotContain("persist-bench");
        assertThat(inBom).containsExactlyInAnyOrderElementsOf(published);
        assertThat(names)
                .doesNotHaveDuplicates()
                .hasSameSizeAs(published)
                .allMatch(name -> name.startsWith("io.persist."));
        assertThat(texts(bom, "version")).isEqualTo(texts(pom("pom.xml"), "version"));
    }

    /** Those that a user of the module gets, in the pom's order. */
    private static List<String> dependencies(String pom) throws Exception {
        List<String> found = new ArrayList<>();
        for (Element dependency : elements(children(pom(pom), "dependencies"), "dependency")) {
            String name = texts(dependency, "artifactId").get(0);
            boolean isUsers = texts(dependency, "scope").stream().allMatch("runtime"::equals);
            if (isUsers && !name.equals(ANNOTATIONS) && !found.contains(name)) {
                found.add(name);
            }
        }
        return found;
    }

    private static Element pom(String name) throws Exception {
        byte[] text = Docs.read(name).getBytes(StandardCharsets.UTF_8);
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(text))
                .getDocumentElement();
    }

    private static Element children(Element parent, String name) {
        return elements(parent, name).get(0);
    }

    private static List<String> texts(Element parent, String name) {
        return elements(parent, name).stream().map(Node::getTextContent).toList();
    }

    private static List<Element> elements(Element parent, String name) {
        List<Element> found = new ArrayList<>();
        NodeList nodes = parent.getChildNodes();
        for (int i = 0; i < nodes.getLength(); i++) {
            if (nodes.item(i) instanceof Element element && element.getTagName().equals(name)) {
                found.add(element);
            }
        }
        return found;
    }
}
